/// The driver API's types, and the part of its functions that runtime programs mix in. Modules, and kernels named by
/// strings, do not exist here: those calls return CUDA_ERROR_NOT_SUPPORTED.
#pragma once

#include <offgrid/emu/host/runtime_api.h>

#define CUDA_VERSION 13000

/// A driver error has the runtime error's number.
#define OFFGRID_DRIVER_ERRORS(X)                                       \
  X(CUDA_SUCCESS, cudaSuccess)                                         \
  X(CUDA_ERROR_INVALID_VALUE, cudaErrorInvalidValue)                   \
  X(CUDA_ERROR_OUT_OF_MEMORY, cudaErrorMemoryAllocation)               \
  X(CUDA_ERROR_NOT_INITIALIZED, cudaErrorInitializationError)          \
  X(CUDA_ERROR_DEINITIALIZED, cudaErrorCudartUnloading)                \
  X(CUDA_ERROR_NO_DEVICE, cudaErrorNoDevice)                           \
  X(CUDA_ERROR_INVALID_DEVICE, cudaErrorInvalidDevice)                 \
  X(CUDA_ERROR_INVALID_IMAGE, cudaErrorInvalidKernelImage)             \
  X(CUDA_ERROR_INVALID_CONTEXT, cudaErrorDeviceUninitialized)          \
  X(CUDA_ERROR_INVALID_HANDLE, cudaErrorInvalidResourceHandle)         \
  X(CUDA_ERROR_NOT_FOUND, cudaErrorSymbolNotFound)                     \
  X(CUDA_ERROR_NOT_READY, cudaErrorNotReady)                           \
  X(CUDA_ERROR_ILLEGAL_ADDRESS, cudaErrorIllegalAddress)               \
  X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, cudaErrorLaunchOutOfResources) \
  X(CUDA_ERROR_LAUNCH_FAILED, cudaErrorLaunchFailure)                  \
  X(CUDA_ERROR_NOT_SUPPORTED, cudaErrorNotSupported)                   \
  X(CUDA_ERROR_UNKNOWN, cudaErrorUnknown)

enum cudaError_enum : int {
#define OFFGRID_ROW(driver, runtime) driver = runtime,
  OFFGRID_DRIVER_ERRORS(OFFGRID_ROW)
#undef OFFGRID_ROW
};
typedef enum cudaError_enum CUresult;

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaGraph_t CUgraph;
typedef cudaGraphNode_t CUgraphNode;
typedef cudaGraphExec_t CUgraphExec;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef cudaUUID_t CUuuid;

enum CUdevice_attribute : int {
#define OFFGRID_ROW(cu, cuda) cu = cuda,
#define OFFGRID_DRIVER_ATTRIBUTES(X)                                                                       \
  X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, cudaDevAttrMaxThreadsPerBlock)                              \
  X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, cudaDevAttrMaxSharedMemoryPerBlock)                   \
  X(CU_DEVICE_ATTRIBUTE_WARP_SIZE, cudaDevAttrWarpSize)                                                    \
  X(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, cudaDevAttrMaxRegistersPerBlock)                          \
  X(CU_DEVICE_ATTRIBUTE_CLOCK_RATE, cudaDevAttrClockRate)                                                  \
  X(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, cudaDevAttrMultiProcessorCount)                              \
  X(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, cudaDevAttrMemoryClockRate)                                     \
  X(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, cudaDevAttrGlobalMemoryBusWidth)                          \
  X(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, cudaDevAttrL2CacheSize)                                             \
  X(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, cudaDevAttrMaxThreadsPerMultiProcessor)            \
  X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, cudaDevAttrComputeCapabilityMajor)                       \
  X(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, cudaDevAttrComputeCapabilityMinor)                       \
  X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, cudaDevAttrMaxSharedMemoryPerMultiprocessor) \
  X(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, cudaDevAttrCooperativeLaunch)                                  \
  X(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, cudaDevAttrMaxSharedMemoryPerBlockOptin)
  OFFGRID_DRIVER_ATTRIBUTES(OFFGRID_ROW)
#undef OFFGRID_ROW
};

namespace offgrid::emu::host {

inline void* to_pointer(CUdeviceptr address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }
inline CUresult to_driver(cudaError_t error) { return static_cast<CUresult>(error); }

/// The one context there is.
inline CUcontext the_context() { return reinterpret_cast<CUcontext>(std::uintptr_t{16}); }

}  // namespace offgrid::emu::host

inline CUresult cuInit(unsigned int) { return CUDA_SUCCESS; }
inline CUresult cuDriverGetVersion(int* version) {
  return offgrid::emu::host::to_driver(cudaDriverGetVersion(version));
}
inline CUresult cuGetErrorName(CUresult error, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  switch (error) {
#define OFFGRID_ROW(driver, runtime) \
  case driver:                       \
    *name = #driver;                 \
    return CUDA_SUCCESS;
    OFFGRID_DRIVER_ERRORS(OFFGRID_ROW)
#undef OFFGRID_ROW
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}
inline CUresult cuGetErrorString(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

inline CUresult cuDeviceGetCount(int* count) { return offgrid::emu::host::to_driver(cudaGetDeviceCount(count)); }
inline CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *device = ordinal;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
inline CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return offgrid::emu::host::to_driver(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}
inline CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error != cudaSuccess) return offgrid::emu::host::to_driver(error);
  if (name == nullptr || bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
  int i = 0;
  for (; i + 1 < bytes && properties.name[i] != '\0'; ++i) name[i] = properties.name[i];
  name[i] = '\0';
  return CUDA_SUCCESS;
}
inline CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp properties;
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  *bytes = error == cudaSuccess ? properties.totalGlobalMem : 0;
  return offgrid::emu::host::to_driver(error);
}

inline CUresult cuCtxCreate(CUcontext* context, unsigned int, CUdevice device) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *context = offgrid::emu::host::the_context();
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
inline CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return cuCtxCreate(context, 0, device);
}
inline CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
inline CUresult cuCtxDestroy(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxPushCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxGetCurrent(CUcontext* context) { return cuCtxCreate(context, 0, 0); }
inline CUresult cuCtxPopCurrent(CUcontext* context) { return cuCtxCreate(context, 0, 0); }
inline CUresult cuCtxGetDevice(CUdevice* device) { return cuDeviceGet(device, 0); }
inline CUresult cuCtxSynchronize() { return offgrid::emu::host::to_driver(cudaDeviceSynchronize()); }

[[gnu::always_inline]] inline CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  if (address == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void* pointer = nullptr;
  const cudaError_t error = cudaMalloc(&pointer, bytes);
  *address = reinterpret_cast<std::uintptr_t>(pointer);
  return offgrid::emu::host::to_driver(error);
}
[[gnu::always_inline]] inline CUresult cuMemFree(CUdeviceptr address) {
  return offgrid::emu::host::to_driver(cudaFree(offgrid::emu::host::to_pointer(address)));
}
[[gnu::always_inline]] inline CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return offgrid::emu::host::to_driver(
      cudaMemcpy(offgrid::emu::host::to_pointer(to), from, bytes, cudaMemcpyHostToDevice));
}
[[gnu::always_inline]] inline CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return offgrid::emu::host::to_driver(
      cudaMemcpy(to, offgrid::emu::host::to_pointer(from), bytes, cudaMemcpyDeviceToHost));
}
[[gnu::always_inline]] inline CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return offgrid::emu::host::to_driver(cudaMemcpy(
      offgrid::emu::host::to_pointer(to), offgrid::emu::host::to_pointer(from), bytes, cudaMemcpyDeviceToDevice));
}
[[gnu::always_inline]] inline CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t bytes) {
  return offgrid::emu::host::to_driver(cudaMemset(offgrid::emu::host::to_pointer(to), value, bytes));
}
[[gnu::always_inline]] inline CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return offgrid::emu::host::to_driver(cudaMemGetInfo(free_bytes, total_bytes));
}
[[gnu::always_inline]] inline CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
  return offgrid::emu::host::to_driver(cudaStreamCreateWithFlags(stream, flags));
}
[[gnu::always_inline]] inline CUresult cuStreamSynchronize(CUstream stream) {
  return offgrid::emu::host::to_driver(cudaStreamSynchronize(stream));
}
[[gnu::always_inline]] inline CUresult cuStreamDestroy(CUstream stream) {
  return offgrid::emu::host::to_driver(cudaStreamDestroy(stream));
}

inline CUresult cuModuleLoad(CUmodule*, const char*) { return CUDA_ERROR_NOT_SUPPORTED; }
inline CUresult cuModuleLoadData(CUmodule*, const void*) { return CUDA_ERROR_NOT_SUPPORTED; }
inline CUresult cuModuleUnload(CUmodule) { return CUDA_ERROR_NOT_SUPPORTED; }
inline CUresult cuModuleGetFunction(CUfunction*, CUmodule, const char*) { return CUDA_ERROR_NOT_SUPPORTED; }
inline CUresult cuLaunchKernel(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int,
                               unsigned int, unsigned int, CUstream, void**, void**) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
