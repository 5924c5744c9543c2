// cudaMemcpyXxx and cudaMemsetXxx. All become one of two operations.
#include "host/copies.h"

#include "host/last_error.h"
#include "host/pointers.h"
#include "host/streams.h"

using namespace offgrid::emu::host;

namespace {

Copy rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
          cudaMemcpyKind kind) {
  Copy c = plain_copy(to, from, width, kind);
  c.height = height;
  c.to_pitch = to_pitch;
  c.from_pitch = from_pitch;
  c.to_slice = to_pitch * height;
  c.from_slice = from_pitch * height;
  return c;
}

Fill fill(void* to, int value, size_t pitch, size_t width, size_t height) {
  Fill f;
  f.to = static_cast<unsigned char*>(to);
  f.value = static_cast<unsigned>(value);
  f.width = width;
  f.height = height;
  f.pitch = pitch;
  f.slice = pitch * height;
  return f;
}

Fill fill(const cudaPitchedPtr& p, int value, const cudaExtent& extent) {
  Fill f = fill(p.ptr, value, p.pitch, extent.width, extent.height);
  f.depth = extent.depth;
  f.slice = p.pitch * p.ysize;
  return f;
}

/// A call that waits: the operation, then whatever earlier launches have left.
cudaError_t issue_and_wait(const ApiCall& api, Operation operation) {
  cudaError_t error = refuse_in_capture(api);
  if (error == cudaSuccess) error = issue(api, nullptr, std::move(operation));
  if (error == cudaSuccess) waited_for(api, *resolve(nullptr));
  return error != cudaSuccess ? error : take_asynchronous_error();
}

/// A copy to memory that the host has not pinned returns when it has come.
cudaError_t issue_copy(const ApiCall& api, const Copy& copy, cudaStream_t handle) {
  const cudaError_t error = issue(api, handle, copy);
  CUstream_st* stream = resolve(handle);
  if (error != cudaSuccess || stream == nullptr || stream->capture != nullptr) return error;
  const bool pinned = offgrid::emu::DeviceMemory::instance().contains(copy.to, 1) || registered_flags(copy.to) >= 0 ||
                      is_symbol(copy.to);
  if (!pinned) waited_for(api, *stream);
  return error;
}

cudaError_t check_devices(const ApiCall& api, int to, int from) {
  return to == 0 && from == 0 ? cudaSuccess : api.done(cudaErrorInvalidDevice);
}

}  // namespace

namespace offgrid::emu::host {

cudaError_t copy_from(const ApiCall& api, const cudaMemcpy3DParms* parameters, Copy* copy) {
  if (parameters == nullptr) return api.done(cudaErrorInvalidValue);
  const cudaMemcpy3DParms& p = *parameters;
  if (p.srcArray != nullptr || p.dstArray != nullptr) return api.done(cudaErrorNotSupported);
  if (p.srcPtr.ptr == nullptr || p.dstPtr.ptr == nullptr) return api.done(cudaErrorInvalidValue);
  const auto offset = [](const cudaPitchedPtr& pitched, const cudaPos& at) {
    return at.x + pitched.pitch * (at.y + pitched.ysize * at.z);
  };
  *copy =
      plain_copy(static_cast<unsigned char*>(p.dstPtr.ptr) + offset(p.dstPtr, p.dstPos),
                 static_cast<const unsigned char*>(p.srcPtr.ptr) + offset(p.srcPtr, p.srcPos), p.extent.width, p.kind);
  copy->height = p.extent.height;
  copy->depth = p.extent.depth;
  copy->to_pitch = p.dstPtr.pitch;
  copy->from_pitch = p.srcPtr.pitch;
  copy->to_slice = p.dstPtr.pitch * p.dstPtr.ysize;
  copy->from_slice = p.srcPtr.pitch * p.srcPtr.ysize;
  return cudaSuccess;
}

Fill fill_from(const cudaMemsetParams& p) {
  Fill f = fill(p.dst, static_cast<int>(p.value), p.height > 1 ? p.pitch : p.width * p.elementSize,
                p.width * p.elementSize, p.height);
  f.element_bytes = p.elementSize;
  return f;
}

cudaError_t copy_symbol(bool to_symbol, const void* symbol, size_t symbol_bytes, void* memory, size_t bytes,
                        size_t offset, cudaMemcpyKind kind, bool async, cudaStream_t stream) {
  OFFGRID_API_CALL(to_symbol ? "MemcpyToSymbol" : "MemcpyFromSymbol");
  const Side symbol_side = to_symbol ? destination_side(kind) : source_side(kind);
  if (symbol_side == Side::kHost) return api.done(cudaErrorInvalidMemcpyDirection);
  if (offset > symbol_bytes || bytes > symbol_bytes - offset) {
    return api.misuse(cudaErrorInvalidValue,
                      {api.name() + " of bytes " + std::to_string(offset) + " to " + std::to_string(offset + bytes) +
                           " exceeds the variable, which has " + std::to_string(symbol_bytes),
                       {},
                       "check the size: it counts bytes, not elements",
                       nullptr});
  }
  add_symbol(symbol, symbol_bytes);
  auto* at = static_cast<unsigned char*>(const_cast<void*>(symbol)) + offset;
  const Copy copy = to_symbol ? plain_copy(at, memory, bytes, kind) : plain_copy(memory, at, bytes, kind);
  return async ? issue_copy(api, copy, stream) : issue_and_wait(api, copy);
}

cudaError_t symbol_address(void** address, const void* symbol, size_t bytes) {
  OFFGRID_API_CALL("GetSymbolAddress");
  if (address == nullptr) return api.done(cudaErrorInvalidValue);
  add_symbol(symbol, bytes);
  *address = const_cast<void*>(symbol);
  return cudaSuccess;
}

}  // namespace offgrid::emu::host

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  OFFGRID_API_CALL("Memcpy");
  return issue_and_wait(api, plain_copy(to, from, bytes, kind));
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  OFFGRID_API_CALL("MemcpyAsync");
  return issue_copy(api, plain_copy(to, from, bytes, kind), stream);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  OFFGRID_API_CALL("MemcpyPeer");
  const cudaError_t error = check_devices(api, to_device, from_device);
  return error != cudaSuccess ? error : issue_and_wait(api, plain_copy(to, from, bytes, cudaMemcpyDeviceToDevice));
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  OFFGRID_API_CALL("MemcpyPeerAsync");
  const cudaError_t error = check_devices(api, to_device, from_device);
  return error != cudaSuccess ? error : issue(api, stream, plain_copy(to, from, bytes, cudaMemcpyDeviceToDevice));
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  OFFGRID_API_CALL("Memcpy2D");
  return issue_and_wait(api, rows(to, to_pitch, from, from_pitch, width, height, kind));
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  OFFGRID_API_CALL("Memcpy2DAsync");
  return issue_copy(api, rows(to, to_pitch, from, from_pitch, width, height, kind), stream);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  OFFGRID_API_CALL("Memcpy3D");
  Copy copy;
  const cudaError_t error = copy_from(api, parameters, &copy);
  return error != cudaSuccess ? error : issue_and_wait(api, copy);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  OFFGRID_API_CALL("Memcpy3DAsync");
  Copy copy;
  const cudaError_t error = copy_from(api, parameters, &copy);
  return error != cudaSuccess ? error : issue_copy(api, copy, stream);
}

// Fills do not wait: cudaMemset returns no fault of an earlier launch.

cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  OFFGRID_API_CALL("Memset");
  return issue(api, nullptr, fill(pointer, value, bytes, bytes, 1));
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  OFFGRID_API_CALL("MemsetAsync");
  return issue(api, stream, fill(pointer, value, bytes, bytes, 1));
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  OFFGRID_API_CALL("Memset2D");
  return issue(api, nullptr, fill(pointer, value, pitch, width, height));
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  OFFGRID_API_CALL("Memset2DAsync");
  return issue(api, stream, fill(pointer, value, pitch, width, height));
}

cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  OFFGRID_API_CALL("Memset3D");
  return issue(api, nullptr, fill(pitched, value, extent));
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent, cudaStream_t stream) {
  OFFGRID_API_CALL("Memset3DAsync");
  return issue(api, stream, fill(pitched, value, extent));
}

}  // extern "C"
