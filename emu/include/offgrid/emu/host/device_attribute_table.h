/// Device attributes: value, CUDA's name, HIP's name, the answer as an expression over the DeviceProfile `p`.
#pragma once

// clang-format off
#define OFFGRID_DEVICE_ATTRIBUTES(X)                                                                              \
  X(1, cudaDevAttrMaxThreadsPerBlock, hipDeviceAttributeMaxThreadsPerBlock, p.max_threads_per_block)              \
  X(2, cudaDevAttrMaxBlockDimX, hipDeviceAttributeMaxBlockDimX, p.max_block_dim[0])                               \
  X(3, cudaDevAttrMaxBlockDimY, hipDeviceAttributeMaxBlockDimY, p.max_block_dim[1])                               \
  X(4, cudaDevAttrMaxBlockDimZ, hipDeviceAttributeMaxBlockDimZ, p.max_block_dim[2])                               \
  X(5, cudaDevAttrMaxGridDimX, hipDeviceAttributeMaxGridDimX, p.max_grid_dim[0])                                  \
  X(6, cudaDevAttrMaxGridDimY, hipDeviceAttributeMaxGridDimY, p.max_grid_dim[1])                                  \
  X(7, cudaDevAttrMaxGridDimZ, hipDeviceAttributeMaxGridDimZ, p.max_grid_dim[2])                                  \
  X(8, cudaDevAttrMaxSharedMemoryPerBlock, hipDeviceAttributeMaxSharedMemoryPerBlock, p.shared_per_block)         \
  X(9, cudaDevAttrTotalConstantMemory, hipDeviceAttributeTotalConstantMemory, p.constant_bytes)                   \
  X(10, cudaDevAttrWarpSize, hipDeviceAttributeWarpSize, p.warp_size)                                             \
  X(11, cudaDevAttrMaxPitch, hipDeviceAttributeMaxPitch, 2147483647)                                              \
  X(12, cudaDevAttrMaxRegistersPerBlock, hipDeviceAttributeMaxRegistersPerBlock, p.registers_per_block)           \
  X(13, cudaDevAttrClockRate, hipDeviceAttributeClockRate, p.clock_khz)                                           \
  X(14, cudaDevAttrTextureAlignment, hipDeviceAttributeTextureAlignment, 512)                                     \
  X(15, cudaDevAttrGpuOverlap, hipDeviceAttributeDeviceOverlap, 1)                                                \
  X(16, cudaDevAttrMultiProcessorCount, hipDeviceAttributeMultiprocessorCount, p.multiprocessors)                 \
  X(17, cudaDevAttrKernelExecTimeout, hipDeviceAttributeKernelExecTimeout, 0)                                     \
  X(18, cudaDevAttrIntegrated, hipDeviceAttributeIntegrated, 0)                                                   \
  X(19, cudaDevAttrCanMapHostMemory, hipDeviceAttributeCanMapHostMemory, 1)                                       \
  X(20, cudaDevAttrComputeMode, hipDeviceAttributeComputeMode, 0)                                                 \
  X(30, cudaDevAttrSurfaceAlignment, hipDeviceAttributeSurfaceAlignment, 512)                                     \
  X(31, cudaDevAttrConcurrentKernels, hipDeviceAttributeConcurrentKernels, 1)                                     \
  X(32, cudaDevAttrEccEnabled, hipDeviceAttributeEccEnabled, 0)                                                   \
  X(33, cudaDevAttrPciBusId, hipDeviceAttributePciBusId, 1)                                                       \
  X(34, cudaDevAttrPciDeviceId, hipDeviceAttributePciDeviceId, 0)                                                 \
  X(35, cudaDevAttrTccDriver, hipDeviceAttributeTccDriver, 0)                                                     \
  X(36, cudaDevAttrMemoryClockRate, hipDeviceAttributeMemoryClockRate, p.memory_clock_khz)                        \
  X(37, cudaDevAttrGlobalMemoryBusWidth, hipDeviceAttributeMemoryBusWidth, p.memory_bus_bits)                     \
  X(38, cudaDevAttrL2CacheSize, hipDeviceAttributeL2CacheSize, p.l2_bytes)                                        \
  X(39, cudaDevAttrMaxThreadsPerMultiProcessor, hipDeviceAttributeMaxThreadsPerMultiProcessor,                    \
    p.max_threads_per_multiprocessor)                                                                             \
  X(40, cudaDevAttrAsyncEngineCount, hipDeviceAttributeAsyncEngineCount, 2)                                       \
  X(41, cudaDevAttrUnifiedAddressing, hipDeviceAttributeUnifiedAddressing, 1)                                     \
  X(50, cudaDevAttrPciDomainId, hipDeviceAttributePciDomainID, 0)                                                 \
  X(51, cudaDevAttrTexturePitchAlignment, hipDeviceAttributeTexturePitchAlignment, 32)                            \
  X(75, cudaDevAttrComputeCapabilityMajor, hipDeviceAttributeComputeCapabilityMajor, p.major)                     \
  X(76, cudaDevAttrComputeCapabilityMinor, hipDeviceAttributeComputeCapabilityMinor, p.minor)                     \
  X(78, cudaDevAttrStreamPrioritiesSupported, hipDeviceAttributeStreamPrioritiesSupported, 1)                     \
  X(79, cudaDevAttrGlobalL1CacheSupported, hipDeviceAttributeGlobalL1CacheSupported, 1)                           \
  X(80, cudaDevAttrLocalL1CacheSupported, hipDeviceAttributeLocalL1CacheSupported, 1)                             \
  X(81, cudaDevAttrMaxSharedMemoryPerMultiprocessor, hipDeviceAttributeMaxSharedMemoryPerMultiprocessor,          \
    p.shared_per_multiprocessor)                                                                                  \
  X(82, cudaDevAttrMaxRegistersPerMultiprocessor, hipDeviceAttributeMaxRegistersPerMultiprocessor,                \
    p.registers_per_multiprocessor)                                                                               \
  X(83, cudaDevAttrManagedMemory, hipDeviceAttributeManagedMemory, 1)                                             \
  X(84, cudaDevAttrIsMultiGpuBoard, hipDeviceAttributeIsMultiGpuBoard, 0)                                         \
  X(85, cudaDevAttrMultiGpuBoardGroupID, hipDeviceAttributeMultiGpuBoardGroupID, 0)                               \
  X(86, cudaDevAttrHostNativeAtomicSupported, hipDeviceAttributeHostNativeAtomicSupported, 0)                     \
  X(87, cudaDevAttrSingleToDoublePrecisionPerfRatio, hipDeviceAttributeSingleToDoublePrecisionPerfRatio, 2)       \
  X(88, cudaDevAttrPageableMemoryAccess, hipDeviceAttributePageableMemoryAccess, 0)                               \
  X(89, cudaDevAttrConcurrentManagedAccess, hipDeviceAttributeConcurrentManagedAccess, 1)                         \
  X(90, cudaDevAttrComputePreemptionSupported, hipDeviceAttributeComputePreemptionSupported, 1)                   \
  X(91, cudaDevAttrCanUseHostPointerForRegisteredMem, hipDeviceAttributeCanUseHostPointerForRegisteredMem, 1)     \
  X(95, cudaDevAttrCooperativeLaunch, hipDeviceAttributeCooperativeLaunch, 1)                                     \
  X(96, cudaDevAttrCooperativeMultiDeviceLaunch, hipDeviceAttributeCooperativeMultiDeviceLaunch, 0)               \
  X(97, cudaDevAttrMaxSharedMemoryPerBlockOptin, hipDeviceAttributeSharedMemPerBlockOptin,                        \
    p.shared_per_block_optin)                                                                                     \
  X(98, cudaDevAttrCanFlushRemoteWrites, hipDeviceAttributeCanUseStreamWaitValue, 0)                              \
  X(99, cudaDevAttrHostRegisterSupported, hipDeviceAttributeHostRegisterSupported, 1)                             \
  X(100, cudaDevAttrPageableMemoryAccessUsesHostPageTables,                                                       \
    hipDeviceAttributePageableMemoryAccessUsesHostPageTables, 0)                                                  \
  X(101, cudaDevAttrDirectManagedMemAccessFromHost, hipDeviceAttributeDirectManagedMemAccessFromHost, 0)          \
  X(106, cudaDevAttrMaxBlocksPerMultiprocessor, hipDeviceAttributeMaxBlocksPerMultiProcessor,                     \
    p.max_blocks_per_multiprocessor)                                                                              \
  X(108, cudaDevAttrMaxPersistingL2CacheSize, hipDeviceAttributePersistingL2CacheMaxSize, 0)                      \
  X(109, cudaDevAttrMaxAccessPolicyWindowSize, hipDeviceAttributeAccessPolicyMaxWindowSize, 0)                    \
  X(111, cudaDevAttrReservedSharedMemoryPerBlock, hipDeviceAttributeReservedSharedMemPerBlock,                    \
    p.shared_reserved_per_block)                                                                                  \
  X(112, cudaDevAttrSparseCudaArraySupported, hipDeviceAttributeSparseArraySupported, 0)                          \
  X(113, cudaDevAttrHostRegisterReadOnlySupported, hipDeviceAttributeHostRegisterReadOnlySupported, 0)            \
  X(115, cudaDevAttrMemoryPoolsSupported, hipDeviceAttributeMemoryPoolsSupported, 1)                              \
  X(116, cudaDevAttrGPUDirectRDMASupported, hipDeviceAttributeGPUDirectRDMASupported, 0)                          \
  X(120, cudaDevAttrClusterLaunch, hipDeviceAttributeClusterLaunch, p.vendor == Vendor::kNvidia && p.major >= 9)                                            \
  X(125, cudaDevAttrIpcEventSupport, hipDeviceAttributeIpcEventSupport, 0)
// clang-format on
