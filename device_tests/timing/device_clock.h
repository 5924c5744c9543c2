// Times of work that is queued on a device: in a graph, launched one by one, and what queueing costs the host.
#pragma once

#include <offgrid/portable/gpu.h>
#include <offgrid/portable/gpu_stream.h>

#include <functional>

namespace offgrid::timing {

/// Queues one call on the stream and does nothing else.
using Work = std::function<void(gpu::Stream)>;

/// A graph of `calls` calls, captured once; graph_us replays it.
class TimedGraph {
 public:
  TimedGraph(const Work& work, int calls);
  /// Microseconds a call of one replay, between events on its stream.
  double replay_us();

 private:
  int calls_;
  gpu::Graph graph_;
  gpu::Event begin_, end_;
};

/// Microseconds a call of `calls` calls launched one after the other, between events: waits of the device for the host
/// count.
double eager_us(const Work& work, int calls, const gpu::OwnStream& stream);

/// Microseconds of the host a call, for queueing `calls` calls on an idle stream. The device is not waited for.
double enqueue_us(const Work& work, int calls, const gpu::OwnStream& stream);

/// Bytes a second that a copy on the device reads and writes: median of 20 copies of `bytes`.
double copy_bandwidth(std::size_t bytes);

}  // namespace offgrid::timing
