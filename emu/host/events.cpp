// cudaEventXxx. Times are those of the host's clock: what the emulator took, not what a device would take.
#include "host/events.h"

#include <algorithm>

#include "host/handles.h"
#include "host/last_error.h"

using namespace offgrid::emu::host;

namespace offgrid::emu::host {

cudaError_t report_dead_event(const ApiCall& api) {
  return api.misuse(cudaErrorInvalidResourceHandle,
                    {"event of " + api.name() + " was destroyed or never created", {}, "", nullptr});
}

cudaError_t join_capture(CUstream_st& stream, const CUevent_st& event) {
  const std::shared_ptr<Capture> capture = event.capture.lock();
  if (capture == nullptr) return stream.capture == nullptr ? cudaSuccess : cudaErrorStreamCaptureIsolation;
  if (stream.capture != nullptr && stream.capture != capture) {
    stream.capture->invalidated = capture->invalidated = true;
    return cudaErrorStreamCaptureMerge;
  }
  enter_capture(stream, capture);
  for (cudaGraphNode_t node : event.nodes) {
    if (std::find(stream.tail.begin(), stream.tail.end(), node) == stream.tail.end()) stream.tail.push_back(node);
  }
  return cudaSuccess;
}

}  // namespace offgrid::emu::host

namespace {

cudaError_t create_event(const ApiCall& api, cudaEvent_t* event, unsigned flags) {
  constexpr unsigned kKnown = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  constexpr unsigned kHipOnly = 0xF0000000;  // how far caches are written back, which the emulator has none of
  if (event == nullptr || (flags & ~(kKnown | kHipOnly)) != 0) return api.done(cudaErrorInvalidValue);
  auto* made = new CUevent_st;
  made->flags = flags;
  *event = HandleSet<CUevent_st>::instance().add(made);
  return cudaSuccess;
}

cudaError_t record_event(const ApiCall& api, cudaEvent_t event, cudaStream_t handle) {
  cudaError_t error = cudaSuccess;
  CUstream_st* stream = resolve_or_report(api, handle, &error);
  if (stream == nullptr) return error;
  if (!is_alive(event)) return report_dead_event(api);
  event->capture = stream->capture;
  event->nodes = stream->tail;
  if (stream->capture != nullptr) return cudaSuccess;
  event->at = std::chrono::steady_clock::now();
  event->recorded = true;
  event->clock = offgrid::emu::check::stream_clock(order_id(*stream));
  return cudaSuccess;
}

cudaError_t wait_for(const ApiCall& api, cudaEvent_t event) {
  if (!is_alive(event)) return report_dead_event(api);
  if (const auto capture = event->capture.lock()) {
    capture->invalidated = true;
    return api.done(cudaErrorCapturedEvent);
  }
  offgrid::emu::check::host_waits(event->clock);
  return take_asynchronous_error();
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  OFFGRID_API_CALL("EventCreate");
  return create_event(api, event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  OFFGRID_API_CALL("EventCreateWithFlags");
  return create_event(api, event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  OFFGRID_API_CALL("EventDestroy");
  if (!HandleSet<CUevent_st>::instance().remove(event)) return report_dead_event(api);
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  OFFGRID_API_CALL("EventRecord");
  return record_event(api, event, stream);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  OFFGRID_API_CALL("EventRecordWithFlags");
  return record_event(api, event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  OFFGRID_API_CALL("EventQuery");
  return wait_for(api, event);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  OFFGRID_API_CALL("EventSynchronize");
  return wait_for(api, event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  OFFGRID_API_CALL("EventElapsedTime");
  if (milliseconds == nullptr) return api.done(cudaErrorInvalidValue);
  for (const cudaEvent_t event : {start, end}) {
    if (!is_alive(event)) return report_dead_event(api);
    if (!event->recorded || (event->flags & cudaEventDisableTiming) != 0) {
      return api.done(cudaErrorInvalidResourceHandle);
    }
  }
  *milliseconds = std::chrono::duration<float, std::milli>(end->at - start->at).count();
  return cudaSuccess;
}

}  // extern "C"
