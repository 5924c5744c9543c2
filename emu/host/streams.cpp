// Where an operation goes: run at once, into a graph, or refused because of a capture.
#include "host/streams.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "engine/observer.h"
#include "host/handles.h"
#include "host/last_error.h"

namespace offgrid::emu::host {
namespace {

struct Captures {
  std::mutex mutex;
  std::vector<std::shared_ptr<Capture>> active;
};

Captures& captures() {
  static auto* all = new Captures;
  return *all;
}

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

CUstream_st& legacy_stream() {
  static auto* stream = new CUstream_st;
  return *stream;
}

CUstream_st& per_thread_stream() {
  struct Ours : CUstream_st {
    ~Ours() {
      if (order) check::stream_destroyed(*order);
    }
  };
  static thread_local Ours stream;
  return stream;
}

/// The first capture for which the predicate holds becomes invalid.
template <class Predicate>
bool invalidate_if(Predicate predicate) {
  const std::lock_guard lock(captures().mutex);
  for (const auto& capture : captures().active) {
    if (!predicate(*capture)) continue;
    capture->invalidated = true;
    return true;
  }
  return false;
}

bool forbids_unsafe_calls(const Capture& capture) {
  if (thread_mode == cudaStreamCaptureModeRelaxed || capture.mode == cudaStreamCaptureModeRelaxed) return false;
  if (capture.thread == std::this_thread::get_id()) return true;
  return thread_mode == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
}

/// Work on the legacy stream waits for all blocking streams, which a capturing one cannot grant.
bool blocks_legacy_stream(const Capture& capture) {
  const CUstream_st* origin = resolve(capture.origin);
  return origin != nullptr && (origin->flags & cudaStreamNonBlocking) == 0;
}

/// Nothing if the operation is to run now; else what became of it.
std::optional<cudaError_t> divert(const ApiCall& api, cudaStream_t handle, const Operation& operation) {
  cudaError_t error = cudaSuccess;
  CUstream_st* stream = resolve_or_report(api, handle, &error);
  if (stream == nullptr) return error;
  if (stream->capture == nullptr) {
    if (stream != &legacy_stream() || !invalidate_if(blocks_legacy_stream)) return {};
    return api.done(cudaErrorStreamCaptureImplicit);
  }
  if (stream->capture->invalidated) return api.done(cudaErrorStreamCaptureInvalidated);
  if (error = check(api, operation); error != cudaSuccess) return error;
  stream->tail = {add_node(*stream->capture->graph, operation, stream->tail)};
  return cudaSuccess;
}

LaunchError launch_on_stream(KernelCall call) {
  const ApiCall api("LaunchKernel", call.config.where);
  const auto stream = static_cast<cudaStream_t>(call.config.stream);
  if (divert(api, stream, Launch{call, nullptr})) return LaunchError::kNone;  // its error is the last error now
  if (!observer) return run_kernel(call);
  const check::OnStream on(order_id(*resolve(stream)), stream_number(stream));
  return run_kernel(call);
}

/// The host may read managed memory from here on, without any call that tells of it.
void host_may_read_managed(const ApiCall& api) {
  static std::uint64_t seen = 0;
  const std::uint64_t now = check::launches_issued();
  if (std::exchange(seen, now) == now) return;
  for (const Allocation& a : DeviceMemory::instance().live()) {
    if (a.kind != MemoryKind::kManaged) continue;
    observer->host_reads(reinterpret_cast<const void*>(a.begin), a.bytes, 0,
                         reinterpret_cast<std::uintptr_t>(api.caller()));
  }
}

}  // namespace

CUstream_st* resolve(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy) return &legacy_stream();
  if (stream == cudaStreamPerThread) return &per_thread_stream();
  return is_alive(stream) ? stream : nullptr;
}

CUstream_st* resolve_or_report(const ApiCall& api, cudaStream_t handle, cudaError_t* error) {
  CUstream_st* stream = resolve(handle);
  if (stream == nullptr) {
    *error = api.misuse(cudaErrorInvalidResourceHandle,
                        {"stream of " + api.name() + " was destroyed or never created", {}, "", nullptr});
  }
  return stream;
}

cudaError_t issue(const ApiCall& api, cudaStream_t stream, Operation operation) {
  if (const auto result = divert(api, stream, operation)) return *result;
  if (!observer) return perform(api, operation);
  const check::OnStream on(order_id(*resolve(stream)), stream_number(stream));
  return perform(api, operation);
}

cudaError_t refuse_in_capture(const ApiCall& api) {
  return invalidate_if(forbids_unsafe_calls) ? api.done(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}

cudaError_t refuse_to_wait(const ApiCall& api, const CUstream_st* stream) {
  const bool capturing = stream != nullptr && stream->capture != nullptr;
  if (capturing) stream->capture->invalidated = true;
  const bool any = stream == nullptr && invalidate_if([](const Capture&) { return true; });
  return capturing || any ? api.done(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}

check::StreamId order_id(CUstream_st& stream) {
  if (&stream == &legacy_stream()) return check::kLegacyStream;
  if (!stream.order) stream.order = check::stream_created((stream.flags & cudaStreamNonBlocking) == 0);
  return *stream.order;
}

void waited_for(const ApiCall& api, CUstream_st& stream) {
  if (!observer) return;
  check::host_waits(check::stream_clock(order_id(stream)));
  host_may_read_managed(api);
}

void waited_for_all(const ApiCall& api) {
  if (!observer) return;
  check::host_waits_for_all();
  host_may_read_managed(api);
}

void receive_launches() { set_submit(launch_on_stream); }

Capture::Capture() : graph(std::make_unique<CUgraph_st>()) { HandleSet<CUgraph_st>::instance().add(graph.get()); }

Capture::~Capture() {
  if (graph != nullptr) HandleSet<CUgraph_st>::instance().remove(graph.get());
}

void begin_capture(CUstream_st& origin, std::shared_ptr<Capture> capture) {
  enter_capture(origin, capture);
  const std::lock_guard lock(captures().mutex);
  captures().active.push_back(std::move(capture));
}

void enter_capture(CUstream_st& stream, const std::shared_ptr<Capture>& capture) {
  if (stream.capture == capture) return;
  stream.capture = capture;
  stream.tail.clear();
  capture->members.push_back(&stream);
}

void end_capture(Capture& capture) {
  for (CUstream_st* member : capture.members) {
    member->capture.reset();
    member->tail.clear();
  }
  capture.members.clear();
  const std::lock_guard lock(captures().mutex);
  auto& active = captures().active;
  active.erase(std::remove_if(active.begin(), active.end(), [&](const auto& c) { return c.get() == &capture; }),
               active.end());
}

void leave_capture(CUstream_st& stream) {
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture == nullptr) return;
  capture->invalidated = true;
  auto& members = capture->members;
  members.erase(std::remove(members.begin(), members.end(), &stream), members.end());
  if (resolve(capture->origin) == nullptr) end_capture(*capture);
}

cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode) { return std::exchange(thread_mode, mode); }

}  // namespace offgrid::emu::host
