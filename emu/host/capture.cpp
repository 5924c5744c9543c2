// cudaStreamBeginCapture and what belongs to it.
#include <algorithm>
#include <atomic>
#include <utility>

#include "host/streams.h"

using namespace offgrid::emu::host;

namespace {

/// True if a node that no other depends on is not part of what the origin stream has joined.
bool has_unjoined_work(const CUgraph_st& graph, const std::vector<cudaGraphNode_t>& tail) {
  std::vector<char> has_successor(graph.nodes.size(), 0);
  for (const auto& node : graph.nodes) {
    for (cudaGraphNode_t before : node->after) has_successor[before->index] = 1;
  }
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    return has_successor[node->index] == 0 && std::find(tail.begin(), tail.end(), node.get()) == tail.end();
  });
}

cudaStreamCaptureStatus status_of(const CUstream_st& stream) {
  if (stream.capture == nullptr) return cudaStreamCaptureStatusNone;
  return stream.capture->invalidated ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

/// Why the capture that `stream` began cannot become a graph.
cudaError_t end_error(const CUstream_st& stream) {
  const Capture& capture = *stream.capture;
  if (capture.invalidated) return cudaErrorStreamCaptureInvalidated;
  return has_unjoined_work(*capture.graph, stream.tail) ? cudaErrorStreamCaptureUnjoined : cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  OFFGRID_API_CALL("StreamBeginCapture");
  static std::atomic<unsigned long long> next_id{1};
  cudaError_t error = cudaSuccess;
  CUstream_st* stream = resolve_or_report(api, handle, &error);
  if (stream == nullptr) return error;
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) {
    return api.done(cudaErrorInvalidValue);
  }
  if (stream == resolve(nullptr)) return api.done(cudaErrorStreamCaptureUnsupported);
  if (stream->capture != nullptr) return api.done(cudaErrorIllegalState);
  auto capture = std::make_shared<Capture>();
  capture->mode = mode;
  capture->origin = handle;
  capture->thread = std::this_thread::get_id();
  capture->id = next_id++;
  begin_capture(*stream, std::move(capture));
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  OFFGRID_API_CALL("StreamEndCapture");
  cudaError_t error = cudaSuccess;
  CUstream_st* stream = resolve_or_report(api, handle, &error);
  if (stream == nullptr) return error;
  if (graph == nullptr) return api.done(cudaErrorInvalidValue);
  *graph = nullptr;
  const std::shared_ptr<Capture> capture = stream->capture;
  if (capture == nullptr) return api.done(cudaErrorIllegalState);
  if (capture->origin != handle) return api.done(cudaErrorStreamCaptureUnmatched);
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id()) {
    return api.done(cudaErrorStreamCaptureWrongThread);
  }
  error = end_error(*stream);
  end_capture(*capture);
  if (error != cudaSuccess) return api.done(error);
  *graph = capture->graph.release();
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  OFFGRID_API_CALL("StreamIsCapturing");
  if (status == nullptr) return api.done(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const CUstream_st* stream = resolve_or_report(api, handle, &error);
  if (stream != nullptr) *status = status_of(*stream);
  return error;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  OFFGRID_API_CALL("ThreadExchangeStreamCaptureMode");
  if (mode == nullptr) return api.done(cudaErrorInvalidValue);
  *mode = exchange_capture_mode(*mode);
  return cudaSuccess;
}

}  // extern "C"

namespace offgrid::emu::host {

cudaError_t capture_info(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long* id,
                         cudaGraph_t* graph, const cudaGraphNode_t** dependencies, size_t* count) {
  OFFGRID_API_CALL("StreamGetCaptureInfo");
  if (status == nullptr) return api.done(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const CUstream_st* stream = resolve_or_report(api, handle, &error);
  if (stream == nullptr) return error;
  *status = status_of(*stream);
  if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
  if (id != nullptr) *id = stream->capture->id;
  if (graph != nullptr) *graph = stream->capture->graph.get();
  if (dependencies != nullptr) *dependencies = stream->tail.data();
  if (count != nullptr) *count = stream->tail.size();
  return cudaSuccess;
}

cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                         cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                         size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return capture_info(stream, status, id, graph, dependencies, count);
}

}  // namespace offgrid::emu::host
