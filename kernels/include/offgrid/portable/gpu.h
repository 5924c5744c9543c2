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

/// What an allocation fails with when there is not enough memory.
#if OFFGRID_VENDOR_HIP
inline constexpr Error kOutOfMemory = hipErrorOutOfMemory;
#else
inline constexpr Error kOutOfMemory = cudaErrorMemoryAllocation;
#endif

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

#if !OFFGRID_VENDOR_HIP
/// Lets a kernel have more dynamic shared memory than it gets without asking.
template <class Kernel>
void allow_dynamic_shared(Kernel* kernel, std::size_t bytes) {
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)),
        "dynamic shared memory");
}

/// Launches a grid whose blocks form clusters of `cluster` along x. Devices from sm_90 on, unless `cluster` is 1.
template <class... Parameters, class... Arguments>
void launch_clusters(void (*kernel)(Parameters...), dim3 grid, unsigned threads, unsigned cluster, std::size_t shared,
                     Stream stream, const Arguments&... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = cluster > 1 ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), "launch of clusters");
}
#endif

/// Called after each wait for the device or a stream, if set: red zones are looked at then (canary.h).
inline void (*after_wait)() = nullptr;

/// Waits for everything on the device.
inline void synchronize() {
  check(OFFGRID_GPU(DeviceSynchronize)(), "synchronize");
  if (after_wait != nullptr) after_wait();
}

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

/// Whether blocks can form clusters.
inline bool has_clusters() {
#if OFFGRID_VENDOR_HIP
  return false;
#else
  int device = 0, value = 0;
  check(cudaGetDevice(&device), "get device");
  check(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, device), "cluster launch");
  return value != 0;
#endif
}

/// Bytes of dynamic shared memory that a block can have when its kernel asks.
inline std::size_t largest_dynamic_shared() {
  int device = 0, bytes = 0;
  check(OFFGRID_GPU(GetDevice)(&device), "get device");
#if OFFGRID_VENDOR_HIP
  check(hipDeviceGetAttribute(&bytes, hipDeviceAttributeMaxSharedMemoryPerBlock, device), "shared memory");
#else
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "shared memory");
#endif
  return static_cast<std::size_t>(bytes);
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
inline void copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream) {
  check(OFFGRID_GPU(MemcpyAsync)(to, from, bytes, OFFGRID_GPU(MemcpyDeviceToDevice), stream), "copy on the device");
}
inline void fill_bytes_async(void* to, int byte, std::size_t bytes, Stream stream) {
  check(OFFGRID_GPU(MemsetAsync)(to, byte, bytes, stream), "fill device memory");
}
inline void fill_bytes(void* to, int byte, std::size_t bytes) {
  check(OFFGRID_GPU(Memset)(to, byte, bytes), "fill device memory");
}

}  // namespace offgrid::gpu
