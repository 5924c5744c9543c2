// cudaStreamXxx: life, questions, waiting, host functions.
#include <algorithm>

#include "host/events.h"
#include "host/handles.h"
#include "host/last_error.h"
#include "host/streams.h"

using namespace offgrid::emu::host;

namespace {

constexpr int kLeastPriority = 0, kGreatestPriority = -5;

cudaError_t create_stream(const ApiCall& api, cudaStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || flags > cudaStreamNonBlocking) return api.done(cudaErrorInvalidValue);
  static unsigned long long next_id = 1;
  auto* made = new CUstream_st;
  made->flags = flags;
  made->priority = std::min(kLeastPriority, std::max(kGreatestPriority, priority));
  made->id = __atomic_fetch_add(&next_id, 1, __ATOMIC_RELAXED);
  *stream = HandleSet<CUstream_st>::instance().add(made);
  return cudaSuccess;
}

/// Gives a property of a stream to the caller.
template <class T, class Get>
cudaError_t answer(const ApiCall& api, cudaStream_t handle, T* out, Get get) {
  if (out == nullptr) return api.done(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const CUstream_st* stream = resolve_or_report(api, handle, &error);
  if (stream != nullptr) *out = get(*stream);
  return error;
}

/// All work has run when it was issued: what is left is the error of a fault.
cudaError_t wait_for(const ApiCall& api, cudaStream_t handle) {
  cudaError_t error = cudaSuccess;
  CUstream_st* stream = resolve_or_report(api, handle, &error);
  if (stream == nullptr) return error;
  error = refuse_to_wait(api, stream);
  if (error != cudaSuccess) return error;
  waited_for(api, *stream);
  return take_asynchronous_error();
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = kLeastPriority;
  if (greatest != nullptr) *greatest = kGreatestPriority;
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  OFFGRID_API_CALL("StreamCreate");
  return create_stream(api, stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  OFFGRID_API_CALL("StreamCreateWithFlags");
  return create_stream(api, stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  OFFGRID_API_CALL("StreamCreateWithPriority");
  return create_stream(api, stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  OFFGRID_API_CALL("StreamDestroy");
  if (!HandleSet<CUstream_st>::instance().remove(stream)) {
    return api.misuse(cudaErrorInvalidResourceHandle,
                      {"stream of " + api.name() + " was destroyed before, or never created", {}, "", nullptr});
  }
  leave_capture(*stream);
  if (stream->order) offgrid::emu::check::stream_destroyed(*stream->order);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  OFFGRID_API_CALL("StreamSynchronize");
  return wait_for(api, stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  OFFGRID_API_CALL("StreamQuery");
  return wait_for(api, stream);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  OFFGRID_API_CALL("StreamGetPriority");
  return answer(api, stream, priority, [](const CUstream_st& s) { return s.priority; });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  OFFGRID_API_CALL("StreamGetFlags");
  return answer(api, stream, flags, [](const CUstream_st& s) { return s.flags; });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  OFFGRID_API_CALL("StreamGetId");
  return answer(api, stream, id, [](const CUstream_st& s) { return s.id; });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  OFFGRID_API_CALL("StreamGetDevice");
  return answer(api, stream, device, [](const CUstream_st&) { return 0; });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t, unsigned int) {
  OFFGRID_API_CALL("StreamAttachMemAsync");
  if (pointer == nullptr) return api.done(cudaErrorInvalidValue);
  return issue(api, stream, Empty{});
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  OFFGRID_API_CALL("LaunchHostFunc");
  if (function == nullptr) return api.done(cudaErrorInvalidValue);
  return issue(api, stream, HostCall{[=] { function(data); }});
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int flags) {
  OFFGRID_API_CALL("StreamAddCallback");
  if (callback == nullptr || flags != 0) return api.done(cudaErrorInvalidValue);
  return issue(api, stream, HostCall{[=] { callback(stream, cudaSuccess, data); }});
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned int) {
  OFFGRID_API_CALL("StreamWaitEvent");
  cudaError_t error = cudaSuccess;
  CUstream_st* stream = resolve_or_report(api, handle, &error);
  if (stream == nullptr) return error;
  if (!is_alive(event)) return report_dead_event(api);
  if (stream->capture == nullptr) offgrid::emu::check::stream_waits(order_id(*stream), event->clock);
  return api.done(join_capture(*stream, *event));
}

}  // extern "C"
