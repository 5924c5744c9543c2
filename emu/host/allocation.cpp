// cudaMallocXxx, cudaFreeXxx, and what a pointer is.
#include <offgrid/emu/engine.h>

#include <algorithm>
#include <string>
#include <utility>

#include "host/last_error.h"
#include "host/pointers.h"
#include "host/streams.h"

using namespace offgrid::emu;
using namespace offgrid::emu::host;

namespace {

constexpr size_t kPitchAlignment = 512;

cudaError_t allocate(const ApiCall& api, void** pointer, size_t bytes, MemoryKind kind) {
  if (pointer == nullptr) return api.done(cudaErrorInvalidValue);
  if (const cudaError_t error = refuse_in_capture(api); error != cudaSuccess) return error;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = DeviceMemory::instance().allocate(bytes, kind, {}, reinterpret_cast<std::uintptr_t>(api.caller()));
  return *pointer != nullptr ? cudaSuccess : api.done(cudaErrorMemoryAllocation);
}

void report_overwritten_slack(const ApiCall& api, const Allocation& a) {
  Finding f;
  f.id = FindingId::kOutOfBounds;
  f.headline = "bytes beside " + label(a) + " were overwritten";
  f.sites.push_back({"freed", {}, reinterpret_cast<std::uintptr_t>(api.caller()), api.name()});
  f.sites.push_back({"allocated", a.site, a.site_pc, label(a) + ", " + std::to_string(a.bytes) + " bytes"});
  f.notes.push_back("a write missed the allocation by a few bytes; seen when it was freed");
  f.help = "allocate a multiple of 16 bytes, or of a page, and run again: a guard page then catches the write itself";
  finding_sink().add(std::move(f));
}

cudaError_t report_wrong_free(const ApiCall& api, const void* pointer, FreeError error) {
  const AddressInfo info = DeviceMemory::instance().find(reinterpret_cast<std::uintptr_t>(pointer));
  Misuse what;
  switch (error) {
    case FreeError::kAlreadyFreed:
      what.headline = label(info.allocation) + " is freed a second time";
      break;
    case FreeError::kInteriorPointer:
      what.headline = api.name() + " of a pointer into " + label(info.allocation) + ", not to its start";
      what.notes.push_back("it points to byte " +
                           std::to_string(reinterpret_cast<std::uintptr_t>(pointer) - info.allocation.begin));
      break;
    default:
      what.headline = api.name() + " of a pointer that the runtime did not allocate";
      break;
  }
  if (error != FreeError::kNotAllocated) what.allocation = &info.allocation;
  return api.misuse(cudaErrorInvalidValue, what);
}

/// `host`: the call frees host memory, else device or managed memory.
cudaError_t release(const ApiCall& api, void* pointer, bool host) {
  if (pointer == nullptr) return cudaSuccess;
  const AddressInfo info = DeviceMemory::instance().find(reinterpret_cast<std::uintptr_t>(pointer));
  if (info.what == AddressClass::kInside && (info.allocation.kind == MemoryKind::kHost) != host) {
    const std::string right = host ? "Free" : "FreeHost";
    return api.misuse(cudaErrorInvalidValue, {api.name() + " of " + (host ? "device" : "host") + " memory",
                                              {},
                                              "free it with cuda" + right,
                                              &info.allocation});
  }
  bool overwritten = false;
  const FreeError error = DeviceMemory::instance().free(pointer, &overwritten);
  if (error != FreeError::kNone) return report_wrong_free(api, pointer, error);
  if (overwritten) report_overwritten_slack(api, info.allocation);
  return cudaSuccess;
}

size_t pitch_of(size_t width) { return (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment; }

cudaError_t allocate_in_stream(const ApiCall& api, void** pointer, size_t bytes, cudaStream_t handle) {
  cudaError_t error = cudaSuccess;
  const CUstream_st* stream = resolve_or_report(api, handle, &error);
  if (stream == nullptr) return error;
  if (pointer == nullptr) return api.done(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const auto site = reinterpret_cast<std::uintptr_t>(api.caller());
  *pointer = DeviceMemory::instance().allocate(bytes, MemoryKind::kDevice, {}, site);
  if (*pointer == nullptr) return api.done(cudaErrorMemoryAllocation);
  if (stream->capture != nullptr) stream->capture->graph->memory->add(*pointer);
  return cudaSuccess;
}

void describe(cudaPointerAttributes& attributes, cudaMemoryType type, const void* pointer) {
  void* p = const_cast<void*>(pointer);
  const bool device = type != cudaMemoryTypeUnregistered;
  const bool host = type == cudaMemoryTypeHost || type == cudaMemoryTypeManaged;
  attributes = {type,
                device ? 0 : cudaInvalidDeviceId,
                device ? p : nullptr,
                host ? p : nullptr,
                type,
                type == cudaMemoryTypeManaged,
                0};
}

cudaMemoryType type_of(const void* pointer) {
  const AddressInfo info = DeviceMemory::instance().find(reinterpret_cast<std::uintptr_t>(pointer));
  if (info.what == AddressClass::kInside) {
    switch (info.allocation.kind) {
      case MemoryKind::kDevice:
        return cudaMemoryTypeDevice;
      case MemoryKind::kHost:
        return cudaMemoryTypeHost;
      case MemoryKind::kManaged:
        return cudaMemoryTypeManaged;
    }
  }
  if (registered_flags(pointer) >= 0) return cudaMemoryTypeHost;
  return is_symbol(pointer) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  OFFGRID_API_CALL("Malloc");
  return allocate(api, pointer, bytes, MemoryKind::kDevice);
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  OFFGRID_API_CALL("MallocHost");
  return allocate(api, pointer, bytes, MemoryKind::kHost);
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  OFFGRID_API_CALL("HostAlloc");
  if (flags > (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined)) {
    return api.done(cudaErrorInvalidValue);
  }
  return allocate(api, pointer, bytes, MemoryKind::kHost);
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  OFFGRID_API_CALL("MallocManaged");
  if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) {
    return api.done(cudaErrorInvalidValue);
  }
  return allocate(api, pointer, bytes, MemoryKind::kManaged);
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  OFFGRID_API_CALL("MallocPitch");
  if (pitch == nullptr) return api.done(cudaErrorInvalidValue);
  *pitch = pitch_of(width);
  return allocate(api, pointer, *pitch * height, MemoryKind::kDevice);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  OFFGRID_API_CALL("Malloc3D");
  if (pitched == nullptr) return api.done(cudaErrorInvalidValue);
  *pitched = {nullptr, pitch_of(extent.width), extent.width, extent.height};
  return allocate(api, &pitched->ptr, pitched->pitch * extent.height * extent.depth, MemoryKind::kDevice);
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  OFFGRID_API_CALL("MallocAsync");
  return allocate_in_stream(api, pointer, bytes, stream);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  OFFGRID_API_CALL("MallocFromPoolAsync");
  if (pool == nullptr) return api.done(cudaErrorInvalidValue);
  return allocate_in_stream(api, pointer, bytes, stream);
}

cudaError_t cudaFree(void* pointer) {
  OFFGRID_API_CALL("Free");
  cudaError_t error = refuse_in_capture(api);
  if (error != cudaSuccess) return error;
  waited_for_all(api);
  error = release(api, pointer, false);
  return error != cudaSuccess ? error : take_asynchronous_error();
}

cudaError_t cudaFreeHost(void* pointer) {
  OFFGRID_API_CALL("FreeHost");
  const cudaError_t error = refuse_in_capture(api);
  if (error != cudaSuccess) return error;
  waited_for_all(api);
  return release(api, pointer, true);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t handle) {
  OFFGRID_API_CALL("FreeAsync");
  cudaError_t error = cudaSuccess;
  const CUstream_st* stream = resolve_or_report(api, handle, &error);
  if (stream == nullptr) return error;
  if (stream->capture == nullptr) return release(api, pointer, false);
  // The graph keeps its memory for the next launch.
  return stream->capture->graph->memory->owns(pointer) ? cudaSuccess : api.done(cudaErrorInvalidValue);
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) {
  OFFGRID_API_CALL("HostRegister");
  if (pointer == nullptr || bytes == 0 || flags > 0xFu) return api.done(cudaErrorInvalidValue);
  return add_registered(pointer, bytes, flags) ? cudaSuccess : api.done(cudaErrorHostMemoryAlreadyRegistered);
}

cudaError_t cudaHostUnregister(void* pointer) {
  OFFGRID_API_CALL("HostUnregister");
  return remove_registered(pointer) ? cudaSuccess : api.done(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  OFFGRID_API_CALL("HostGetDevicePointer");
  if (device == nullptr || flags != 0) return api.done(cudaErrorInvalidValue);
  const cudaMemoryType type = type_of(host);
  if (type != cudaMemoryTypeHost && type != cudaMemoryTypeManaged) return api.done(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  OFFGRID_API_CALL("HostGetFlags");
  if (flags == nullptr || type_of(host) != cudaMemoryTypeHost) return api.done(cudaErrorInvalidValue);
  const int registered = registered_flags(host);
  *flags = registered >= 0 ? static_cast<unsigned>(registered) : cudaHostAllocMapped;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  OFFGRID_API_CALL("MemGetInfo");
  if (free_bytes == nullptr || total_bytes == nullptr) return api.done(cudaErrorInvalidValue);
  const DeviceMemory& memory = DeviceMemory::instance();
  *total_bytes = memory.limit();
  *free_bytes = *total_bytes - std::min(*total_bytes, memory.live_bytes());
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  OFFGRID_API_CALL("PointerGetAttributes");
  if (attributes == nullptr) return api.done(cudaErrorInvalidValue);
  describe(*attributes, type_of(pointer), pointer);
  return cudaSuccess;
}

}  // extern "C"

namespace offgrid::emu::host {

cudaError_t prefetch(const void* pointer, size_t bytes) {
  OFFGRID_API_CALL("MemPrefetchAsync");
  if (bytes == 0) return api.done(cudaErrorInvalidValue);
  const bool managed = type_of(pointer) == cudaMemoryTypeManaged;
  return managed && DeviceMemory::instance().contains(pointer, bytes) ? cudaSuccess : api.done(cudaErrorInvalidValue);
}

}  // namespace offgrid::emu::host
