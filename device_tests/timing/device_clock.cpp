// See device_clock.h.
#include "timing/device_clock.h"

#include <offgrid/portable/device_buffer.h>
#include <offgrid/timing/balanced.h>

#include <chrono>
#include <vector>

namespace offgrid::timing {
namespace {

void repeat(const Work& work, int calls, gpu::Stream stream) {
  for (int i = 0; i < calls; ++i) work(stream);
}

}  // namespace

TimedGraph::TimedGraph(const Work& work, int calls)
    : calls_(calls), graph_([&](gpu::Stream stream) { repeat(work, calls, stream); }) {}

double TimedGraph::replay_us() {
  begin_.record(graph_.stream());
  graph_.launch();
  end_.record(graph_.stream());
  return gpu::microseconds_between(begin_, end_) / calls_;
}

double eager_us(const Work& work, int calls, const gpu::OwnStream& stream) {
  gpu::Event begin, end;
  stream.wait();
  begin.record(stream.get());
  repeat(work, calls, stream.get());
  end.record(stream.get());
  return gpu::microseconds_between(begin, end) / calls;
}

double enqueue_us(const Work& work, int calls, const gpu::OwnStream& stream) {
  stream.wait();
  const auto begin = std::chrono::steady_clock::now();
  repeat(work, calls, stream.get());
  const auto end = std::chrono::steady_clock::now();
  stream.wait();
  return std::chrono::duration<double, std::micro>(end - begin).count() / calls;
}

double copy_bandwidth(std::size_t bytes) {
  gpu::DeviceBuffer<unsigned char> from({"copy source", "uint8", {{"bytes", bytes}}}, bytes);
  gpu::DeviceBuffer<unsigned char> to({"copy target", "uint8", {{"bytes", bytes}}}, bytes);
  from.fill(1);
  const gpu::OwnStream stream;
  const Work copy = [&](gpu::Stream on) { gpu::copy_on_device(to.data(), from.data(), bytes, on); };
  std::vector<double> times;
  for (int i = 0; i < 22; ++i) {
    const double us = eager_us(copy, 1, stream);
    if (i >= 2) times.push_back(us);
  }
  return 2.0 * static_cast<double>(bytes) / (summarise(times).median * 1e-6);
}

}  // namespace offgrid::timing
