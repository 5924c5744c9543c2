/// cudaDeviceProp: the members of all CUDA versions (13 removed some that programs still print) and HIP's own.
#pragma once

#include <offgrid/emu/host/device_attribute_table.h>
#include <offgrid/emu/host/structs.h>

enum cudaDeviceAttr : int {
#define OFFGRID_ROW(value, cuda, hip, expression) cuda = value,
  OFFGRID_DEVICE_ATTRIBUTES(OFFGRID_ROW)
#undef OFFGRID_ROW
      cudaDevAttrMax
};

/// Which features HIP's device code may use, as bits.
struct hipDeviceArch_t {
  unsigned hasGlobalInt32Atomics : 1, hasGlobalFloatAtomicExch : 1, hasSharedInt32Atomics : 1;
  unsigned hasSharedFloatAtomicExch : 1, hasFloatAtomicAdd : 1, hasGlobalInt64Atomics : 1;
  unsigned hasSharedInt64Atomics : 1, hasDoubles : 1, hasWarpVote : 1, hasWarpBallot : 1, hasWarpShuffle : 1;
  unsigned hasFunnelShift : 1, hasThreadFenceSystem : 1, hasSyncThreadsExt : 1, hasSurfaceFuncs : 1;
  unsigned has3dGrid : 1, hasDynamicParallelism : 1;
};

struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;
  // memory, in bytes
  size_t totalGlobalMem, totalConstMem, memPitch;
  size_t sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor, reservedSharedMemPerBlock;
  int l2CacheSize, persistingL2CacheMaxSize, accessPolicyMaxWindowSize;
  int memoryBusWidth;   // bits
  int memoryClockRate;  // kHz
  // compute
  int major, minor;
  int clockRate;  // kHz
  int warpSize, multiProcessorCount;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
  int regsPerBlock, regsPerMultiprocessor;
  int singleToDoublePrecisionPerfRatio;
  // textures and surfaces
  size_t textureAlignment, texturePitchAlignment, surfaceAlignment;
  int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2];
  int maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
  int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
  int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3];
  int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
  // abilities
  int deviceOverlap, asyncEngineCount, concurrentKernels, kernelExecTimeoutEnabled, computeMode;
  int integrated, canMapHostMemory, ECCEnabled, tccDriver, unifiedAddressing;
  int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  int managedMemory, concurrentManagedAccess, pageableMemoryAccess, pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost, hostNativeAtomicSupported, computePreemptionSupported;
  int canUseHostPointerForRegisteredMem, hostRegisterSupported, hostRegisterReadOnlySupported;
  int cooperativeLaunch, cooperativeMultiDeviceLaunch, clusterLaunch, unifiedFunctionPointers;
  int sparseCudaArraySupported, deferredMappingCudaArraySupported, timelineSemaphoreInteropSupported;
  int memoryPoolsSupported;
  unsigned int memoryPoolSupportedHandleTypes;
  int gpuDirectRDMASupported, gpuDirectRDMAWritesOrdering;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int ipcEventSupported;
  // place
  int pciBusID, pciDeviceID, pciDomainID, isMultiGpuBoard, multiGpuBoardGroupID;
  int deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId, hostNumaMultinodeIpcSupported;
  unsigned int gpuPciDeviceID, gpuPciSubsystemID;
  // HIP
  char gcnArchName[256];
  int gcnArch, clockInstructionRate, isLargeBar, asicRevision;
  size_t maxSharedMemoryPerMultiProcessor;
  hipDeviceArch_t arch;
  int cooperativeMultiDeviceUnmatchedFunc, cooperativeMultiDeviceUnmatchedGridDim;
  int cooperativeMultiDeviceUnmatchedBlockDim, cooperativeMultiDeviceUnmatchedSharedMem;
};
