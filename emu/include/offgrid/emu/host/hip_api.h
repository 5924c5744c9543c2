/// The HIP runtime API: the same functions, types and values under HIP's names. Only what HIP names differently is
/// written out here.
#pragma once

#include <offgrid/emu/host/runtime_api.h>

#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 0
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 60000000

// ---- types
using hipError_t = cudaError_t;
using hipStream_t = cudaStream_t;
using hipEvent_t = cudaEvent_t;
using hipGraph_t = cudaGraph_t;
using hipGraphNode_t = cudaGraphNode_t;
using hipGraphExec_t = cudaGraphExec_t;
using hipMemPool_t = cudaMemPool_t;
using hipDeviceProp_t = cudaDeviceProp;
using hipDeviceAttribute_t = cudaDeviceAttr;
using hipMemcpyKind = cudaMemcpyKind;
using hipMemoryType = cudaMemoryType;
using hipPointerAttribute_t = cudaPointerAttributes;
using hipFuncAttributes = cudaFuncAttributes;
using hipFuncAttribute = cudaFuncAttribute;
using hipFuncCache_t = cudaFuncCache;
using hipSharedMemConfig = cudaSharedMemConfig;
using hipLimit_t = cudaLimit;
using hipExtent = cudaExtent;
using hipPitchedPtr = cudaPitchedPtr;
using hipPos = cudaPos;
using hipMemcpy3DParms = cudaMemcpy3DParms;
using hipKernelNodeParams = cudaKernelNodeParams;
using hipMemsetParams = cudaMemsetParams;
using hipHostNodeParams = cudaHostNodeParams;
using hipStreamCaptureMode = cudaStreamCaptureMode;
using hipStreamCaptureStatus = cudaStreamCaptureStatus;
using hipGraphNodeType = cudaGraphNodeType;
using hipGraphExecUpdateResult = cudaGraphExecUpdateResult;
using hipMemoryAdvise = cudaMemoryAdvise;
using hipMemPoolAttr = cudaMemPoolAttr;
using hipMemPoolProps = cudaMemPoolProps;
using hipMemAllocationType = cudaMemAllocationType;
using hipMemLocation = cudaMemLocation;
using hipLaunchParams = cudaLaunchParams;
using hipHostFn_t = cudaHostFn_t;
using hipStreamCallback_t = cudaStreamCallback_t;
using hipUUID = cudaUUID_t;
using hipDevice_t = int;
using hipDeviceptr_t = void*;

inline const hipStream_t hipStreamPerThread = cudaStreamPerThread;
inline const hipStream_t hipStreamLegacy = cudaStreamLegacy;

// ---- values
#define OFFGRID_ROW(value, cuda, hip, text) inline constexpr cudaError_t hip = cuda;
OFFGRID_HOST_ERRORS(OFFGRID_ROW)
#undef OFFGRID_ROW
inline constexpr hipError_t hipErrorMemoryAllocation = cudaErrorMemoryAllocation;
inline constexpr hipError_t hipErrorInitializationError = cudaErrorInitializationError;
inline constexpr hipError_t hipErrorInvalidResourceHandle = cudaErrorInvalidResourceHandle;
inline constexpr hipError_t hipErrorSymbolNotFound = cudaErrorSymbolNotFound;

#define OFFGRID_ROW(value, cuda, hip, expression) inline constexpr cudaDeviceAttr hip = cuda;
OFFGRID_DEVICE_ATTRIBUTES(OFFGRID_ROW)
#undef OFFGRID_ROW

#define OFFGRID_ROW(name, value) inline constexpr auto hip##name = cuda##name;
#define OFFGRID_ENUM(name) OFFGRID_ENUM_##name(OFFGRID_ROW)
OFFGRID_ENUMS(OFFGRID_ENUM)
OFFGRID_FLAGS(OFFGRID_ROW)
#undef OFFGRID_ENUM
#undef OFFGRID_ROW

inline constexpr unsigned int hipHostMallocDefault = cudaHostAllocDefault;
inline constexpr unsigned int hipHostMallocPortable = cudaHostAllocPortable;
inline constexpr unsigned int hipHostMallocMapped = cudaHostAllocMapped;
inline constexpr unsigned int hipHostMallocWriteCombined = cudaHostAllocWriteCombined;
inline constexpr unsigned int hipHostMallocNumaUser = 0x20000000;
inline constexpr unsigned int hipHostMallocCoherent = 0x40000000;
inline constexpr unsigned int hipHostMallocNonCoherent = 0x80000000;
inline constexpr unsigned int hipDeviceMallocDefault = 0;
inline constexpr unsigned int hipDeviceMallocFinegrained = 1;
inline constexpr unsigned int hipEventReleaseToDevice = 0x40000000;
inline constexpr unsigned int hipEventReleaseToSystem = 0x80000000;

// ---- functions
extern "C" const char* hipGetErrorName(hipError_t error);
extern "C" const char* hipGetErrorString(hipError_t error);

#define OFFGRID_ROW(name, parameters, arguments) \
  [[gnu::always_inline]] inline hipError_t hip##name parameters { return ::cuda##name arguments; }
OFFGRID_HOST_FUNCTIONS(OFFGRID_ROW)
#undef OFFGRID_ROW

#define OFFGRID_ROW(head, name, parameters, result) \
  OFFGRID_UNWRAP head [[gnu::always_inline]] inline cudaError_t hip##name parameters { return result; }
OFFGRID_HOST_OVERLOADS(OFFGRID_ROW)
#undef OFFGRID_ROW

inline hipPitchedPtr make_hipPitchedPtr(void* ptr, size_t pitch, size_t xsize, size_t ysize) {
  return make_cudaPitchedPtr(ptr, pitch, xsize, ysize);
}
inline hipExtent make_hipExtent(size_t width, size_t height, size_t depth) {
  return make_cudaExtent(width, height, depth);
}
inline hipPos make_hipPos(size_t x, size_t y, size_t z) { return make_cudaPos(x, y, z); }

/// HIP's flags beyond CUDA's say how caches behave, which memory of the emulator does not have.
[[gnu::always_inline]] inline hipError_t hipHostMalloc(void** pointer, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc(pointer, bytes, flags & 7u);
}
template <class T>
[[gnu::always_inline]] inline hipError_t hipHostMalloc(T** pointer, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags & 7u);
}
[[gnu::always_inline]] inline hipError_t hipHostFree(void* pointer) { return cudaFreeHost(pointer); }
[[gnu::always_inline]] inline hipError_t hipExtMallocWithFlags(void** pointer, size_t bytes, unsigned int) {
  return cudaMalloc(pointer, bytes);
}
[[gnu::always_inline]] inline hipError_t hipMemcpyHtoD(hipDeviceptr_t to, const void* from, size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
}
[[gnu::always_inline]] inline hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
}
[[gnu::always_inline]] inline hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
[[gnu::always_inline]] inline hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, const void* from, size_t bytes,
                                                            hipStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream);
}
[[gnu::always_inline]] inline hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, size_t bytes,
                                                            hipStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream);
}
[[gnu::always_inline]] inline hipError_t hipMemcpyWithStream(void* to, const void* from, size_t bytes,
                                                             hipMemcpyKind kind, hipStream_t stream) {
  return cudaMemcpyAsync(to, from, bytes, kind, stream);
}
inline hipError_t hipInit(unsigned int) { return hipSuccess; }
inline hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  if (device == nullptr) return hipErrorInvalidValue;
  *device = ordinal;
  return ordinal == 0 ? hipSuccess : hipErrorInvalidDevice;
}
inline hipError_t hipDeviceGetName(char* name, int bytes, hipDevice_t device) {
  hipDeviceProp_t properties;
  const hipError_t error = cudaGetDeviceProperties(&properties, device);
  if (error != hipSuccess) return error;
  if (name == nullptr || bytes <= 0) return hipErrorInvalidValue;
  int i = 0;
  for (; i + 1 < bytes && properties.name[i] != '\0'; ++i) name[i] = properties.name[i];
  name[i] = '\0';
  return hipSuccess;
}
inline hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  if (bytes == nullptr) return hipErrorInvalidValue;
  hipDeviceProp_t properties;
  const hipError_t error = cudaGetDeviceProperties(&properties, device);
  *bytes = error == hipSuccess ? properties.totalGlobalMem : 0;
  return error;
}
