/// The host side of a device in one spelling: errors, streams, buffers. The only place that maps to cuda* or hip*.
#pragma once

#include <offgrid/portable/vendor.h>

#if OFFGRID_VENDOR_HIP
#include <hip/hip_runtime.h>
#define OFFGRID_GPU(name) hip##name
#else
#include <cuda_runtime.h>
#define OFFGRID_GPU(name) cuda##name
#endif

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace offgrid::gpu {

using Error = OFFGRID_GPU(Error_t);
using Stream = OFFGRID_GPU(Stream_t);

/// A call of the runtime, or a launch, that failed.
class GpuError : public std::runtime_error {
 public:
  GpuError(Error code, const std::string& what)
      : std::runtime_error(what + ": " + OFFGRID_GPU(GetErrorString)(code)), code_(code) {}
  Error code() const { return code_; }

 private:
  Error code_;
};

/// errors  GpuError, unless `error` is success
inline void check(Error error, const char* what) {
  if (error != OFFGRID_GPU(Success)) throw GpuError(error, what);
}

/// The error of launches since the last look.
inline void check_launch(const char* what) { check(OFFGRID_GPU(GetLastError)(), what); }

/// Waits for everything on the device.
inline void synchronize() { check(OFFGRID_GPU(DeviceSynchronize)(), "synchronize"); }

/// Empty if there is a device to run on, else why not.
inline std::string missing_device() {
  int count = 0;
  const Error error = OFFGRID_GPU(GetDeviceCount)(&count);
  if (error != OFFGRID_GPU(Success)) return OFFGRID_GPU(GetErrorString)(error);
  return count > 0 ? "" : "the runtime lists no device";
}

/// Streaming multiprocessors (compute units) of the current device.
inline int multiprocessors() {
  int device = 0;
  int count = 0;
  check(OFFGRID_GPU(GetDevice)(&device), "get device");
#if OFFGRID_VENDOR_HIP
  check(hipDeviceGetAttribute(&count, hipDeviceAttributeMultiprocessorCount, device), "multiprocessor count");
#else
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "multiprocessor count");
#endif
  return count;
}

inline void* allocate(std::size_t bytes) {
  void* pointer = nullptr;
  check(OFFGRID_GPU(Malloc)(&pointer, bytes), "allocate device memory");
  return pointer;
}
inline void release(void* pointer) noexcept { static_cast<void>(OFFGRID_GPU(Free)(pointer)); }

inline void copy_to_device(void* to, const void* from, std::size_t bytes) {
  check(OFFGRID_GPU(Memcpy)(to, from, bytes, OFFGRID_GPU(MemcpyHostToDevice)), "copy to the device");
}
inline void copy_to_host(void* to, const void* from, std::size_t bytes) {
  check(OFFGRID_GPU(Memcpy)(to, from, bytes, OFFGRID_GPU(MemcpyDeviceToHost)), "copy to the host");
}
inline void fill_bytes(void* to, int byte, std::size_t bytes) {
  check(OFFGRID_GPU(Memset)(to, byte, bytes), "fill device memory");
}

}  // namespace offgrid::gpu
