/// Streams, events and captured graphs in one spelling.
#pragma once

#include <offgrid/portable/gpu.h>

namespace offgrid::gpu {

/// A stream of its own, apart from the default stream.
class OwnStream {
 public:
  OwnStream() {
    check(OFFGRID_GPU(StreamCreateWithFlags)(&stream_, OFFGRID_GPU(StreamNonBlocking)), "create a stream");
  }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  ~OwnStream() { static_cast<void>(OFFGRID_GPU(StreamDestroy)(stream_)); }

  Stream get() const { return stream_; }
  void wait() const {
    check(OFFGRID_GPU(StreamSynchronize)(stream_), "wait for a stream");
    if (after_wait != nullptr) after_wait();
  }

 private:
  Stream stream_ = nullptr;
};

/// Work queued on `later` from here on waits for what is on `earlier` now.
inline void order(Stream earlier, Stream later) {
  OFFGRID_GPU(Event_t) event = nullptr;
  check(OFFGRID_GPU(EventCreateWithFlags)(&event, OFFGRID_GPU(EventDisableTiming)), "create an event");
  const Error recorded = OFFGRID_GPU(EventRecord)(event, earlier);
  const Error waits = OFFGRID_GPU(StreamWaitEvent)(later, event, 0);
  static_cast<void>(OFFGRID_GPU(EventDestroy)(event));
  check(recorded, "record an event");
  check(waits, "wait for an event");
}

/// A point in the work of a stream, with its time.
class Event {
 public:
  Event() { check(OFFGRID_GPU(EventCreate)(&event_), "create an event"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { static_cast<void>(OFFGRID_GPU(EventDestroy)(event_)); }

  void record(Stream stream) { check(OFFGRID_GPU(EventRecord)(event_, stream), "record an event"); }

  /// Waits until both have been reached.
  friend double microseconds_between(Event& begin, Event& end) {
    float milliseconds = 0;
    check(OFFGRID_GPU(EventSynchronize)(end.event_), "wait for an event");
    check(OFFGRID_GPU(EventElapsedTime)(&milliseconds, begin.event_, end.event_), "time between events");
    return 1e3 * static_cast<double>(milliseconds);
  }

 private:
  OFFGRID_GPU(Event_t) event_ = nullptr;
};

double microseconds_between(Event& begin, Event& end);

/// Launches captured once, with their arguments, and replayed any number of times.
class Graph {
 public:
  /// work(stream) queues on the stream and does nothing else.
  template <class Work>
  explicit Graph(const Work& work) {
    check(OFFGRID_GPU(StreamBeginCapture)(stream_.get(), OFFGRID_GPU(StreamCaptureModeThreadLocal)), "begin capture");
    OFFGRID_GPU(Graph_t) graph = nullptr;
    try {
      work(stream_.get());
    } catch (...) {
      if (OFFGRID_GPU(StreamEndCapture)(stream_.get(), &graph) == OFFGRID_GPU(Success) && graph != nullptr) {
        static_cast<void>(OFFGRID_GPU(GraphDestroy)(graph));
      }
      throw;
    }
    check(OFFGRID_GPU(StreamEndCapture)(stream_.get(), &graph), "end capture");
#if OFFGRID_VENDOR_HIP
    const Error error = hipGraphInstantiate(&exec_, graph, nullptr, nullptr, 0);
#else
    const Error error = cudaGraphInstantiate(&exec_, graph, 0);
#endif
    static_cast<void>(OFFGRID_GPU(GraphDestroy)(graph));
    check(error, "instantiate a graph");
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { static_cast<void>(OFFGRID_GPU(GraphExecDestroy)(exec_)); }

  Stream stream() const { return stream_.get(); }
  void launch() { check(OFFGRID_GPU(GraphLaunch)(exec_, stream_.get()), "launch a graph"); }
  void replay() {
    launch();
    stream_.wait();
  }

 private:
  OwnStream stream_;
  OFFGRID_GPU(GraphExec_t) exec_ = nullptr;
};

}  // namespace offgrid::gpu
