/// Enumerations and flags of the runtime API, with CUDA's values; a row X(name without prefix, value) makes both
/// spellings.
#pragma once

// clang-format off
#define OFFGRID_ENUM_MemcpyKind(X) \
  X(MemcpyHostToHost, 0) \
  X(MemcpyHostToDevice, 1) \
  X(MemcpyDeviceToHost, 2) \
  X(MemcpyDeviceToDevice, 3) \
  X(MemcpyDefault, 4)

#define OFFGRID_ENUM_MemoryType(X) \
  X(MemoryTypeUnregistered, 0) \
  X(MemoryTypeHost, 1) \
  X(MemoryTypeDevice, 2) \
  X(MemoryTypeManaged, 3)

#define OFFGRID_ENUM_FuncCache(X) \
  X(FuncCachePreferNone, 0) \
  X(FuncCachePreferShared, 1) \
  X(FuncCachePreferL1, 2) \
  X(FuncCachePreferEqual, 3)

#define OFFGRID_ENUM_SharedMemConfig(X) \
  X(SharedMemBankSizeDefault, 0) \
  X(SharedMemBankSizeFourByte, 1) \
  X(SharedMemBankSizeEightByte, 2)

#define OFFGRID_ENUM_SharedCarveout(X) \
  X(SharedmemCarveoutDefault, -1) \
  X(SharedmemCarveoutMaxL1, 0) \
  X(SharedmemCarveoutMaxShared, 100)

#define OFFGRID_ENUM_FuncAttribute(X) \
  X(FuncAttributeMaxDynamicSharedMemorySize, 8) \
  X(FuncAttributePreferredSharedMemoryCarveout, 9) \
  X(FuncAttributeClusterDimMustBeSet, 10) \
  X(FuncAttributeRequiredClusterWidth, 11) \
  X(FuncAttributeRequiredClusterHeight, 12) \
  X(FuncAttributeRequiredClusterDepth, 13) \
  X(FuncAttributeNonPortableClusterSizeAllowed, 14) \
  X(FuncAttributeClusterSchedulingPolicyPreference, 15)

#define OFFGRID_ENUM_Limit(X) \
  X(LimitStackSize, 0) \
  X(LimitPrintfFifoSize, 1) \
  X(LimitMallocHeapSize, 2) \
  X(LimitDevRuntimeSyncDepth, 3) \
  X(LimitDevRuntimePendingLaunchCount, 4) \
  X(LimitMaxL2FetchGranularity, 5) \
  X(LimitPersistingL2CacheSize, 6)

#define OFFGRID_ENUM_ComputeMode(X) \
  X(ComputeModeDefault, 0) \
  X(ComputeModeExclusive, 1) \
  X(ComputeModeProhibited, 2) \
  X(ComputeModeExclusiveProcess, 3)

#define OFFGRID_ENUM_StreamCaptureMode(X) \
  X(StreamCaptureModeGlobal, 0) \
  X(StreamCaptureModeThreadLocal, 1) \
  X(StreamCaptureModeRelaxed, 2)

#define OFFGRID_ENUM_StreamCaptureStatus(X) \
  X(StreamCaptureStatusNone, 0) \
  X(StreamCaptureStatusActive, 1) \
  X(StreamCaptureStatusInvalidated, 2)

#define OFFGRID_ENUM_GraphNodeType(X) \
  X(GraphNodeTypeKernel, 0) \
  X(GraphNodeTypeMemcpy, 1) \
  X(GraphNodeTypeMemset, 2) \
  X(GraphNodeTypeHost, 3) \
  X(GraphNodeTypeGraph, 4) \
  X(GraphNodeTypeEmpty, 5) \
  X(GraphNodeTypeWaitEvent, 6) \
  X(GraphNodeTypeEventRecord, 7) \
  X(GraphNodeTypeMemAlloc, 10) \
  X(GraphNodeTypeMemFree, 11)

#define OFFGRID_ENUM_GraphExecUpdateResult(X) \
  X(GraphExecUpdateSuccess, 0) \
  X(GraphExecUpdateError, 1) \
  X(GraphExecUpdateErrorTopologyChanged, 2) \
  X(GraphExecUpdateErrorNodeTypeChanged, 3) \
  X(GraphExecUpdateErrorFunctionChanged, 4) \
  X(GraphExecUpdateErrorParametersChanged, 5) \
  X(GraphExecUpdateErrorNotSupported, 6)

#define OFFGRID_ENUM_GraphInstantiateFlags(X) \
  X(GraphInstantiateFlagAutoFreeOnLaunch, 1) \
  X(GraphInstantiateFlagUpload, 2) \
  X(GraphInstantiateFlagDeviceLaunch, 4) \
  X(GraphInstantiateFlagUseNodePriority, 8)

#define OFFGRID_ENUM_MemoryAdvise(X) \
  X(MemAdviseSetReadMostly, 1) \
  X(MemAdviseUnsetReadMostly, 2) \
  X(MemAdviseSetPreferredLocation, 3) \
  X(MemAdviseUnsetPreferredLocation, 4) \
  X(MemAdviseSetAccessedBy, 5) \
  X(MemAdviseUnsetAccessedBy, 6)

#define OFFGRID_ENUM_MemPoolAttr(X) \
  X(MemPoolReuseFollowEventDependencies, 1) \
  X(MemPoolReuseAllowOpportunistic, 2) \
  X(MemPoolReuseAllowInternalDependencies, 3) \
  X(MemPoolAttrReleaseThreshold, 4) \
  X(MemPoolAttrReservedMemCurrent, 5) \
  X(MemPoolAttrReservedMemHigh, 6) \
  X(MemPoolAttrUsedMemCurrent, 7) \
  X(MemPoolAttrUsedMemHigh, 8)

#define OFFGRID_ENUM_MemAllocationType(X) \
  X(MemAllocationTypeInvalid, 0) \
  X(MemAllocationTypePinned, 1)

#define OFFGRID_ENUM_MemAllocationHandleType(X) \
  X(MemHandleTypeNone, 0) \
  X(MemHandleTypePosixFileDescriptor, 1)

#define OFFGRID_ENUM_MemLocationType(X) \
  X(MemLocationTypeInvalid, 0) \
  X(MemLocationTypeDevice, 1) \
  X(MemLocationTypeHost, 2)

#define OFFGRID_ENUM_LaunchAttributeID(X) \
  X(LaunchAttributeIgnore, 0) \
  X(LaunchAttributeAccessPolicyWindow, 1) \
  X(LaunchAttributeCooperative, 2) \
  X(LaunchAttributeSynchronizationPolicy, 3) \
  X(LaunchAttributeClusterDimension, 4) \
  X(LaunchAttributeClusterSchedulingPolicyPreference, 5) \
  X(LaunchAttributeProgrammaticStreamSerialization, 6) \
  X(LaunchAttributeProgrammaticEvent, 7) \
  X(LaunchAttributePriority, 8) \
  X(LaunchAttributeMemSyncDomainMap, 9) \
  X(LaunchAttributeMemSyncDomain, 10) \
  X(LaunchAttributePreferredClusterDimension, 11) \
  X(LaunchAttributeLaunchCompletionEvent, 12) \
  X(LaunchAttributeDeviceUpdatableKernelNode, 13) \
  X(LaunchAttributePreferredSharedMemoryCarveout, 14) \
  X(LaunchAttributeNvlinkUtilCentricScheduling, 16)

#define OFFGRID_ENUM_ClusterSchedulingPolicy(X) \
  X(ClusterSchedulingPolicyDefault, 0) \
  X(ClusterSchedulingPolicySpread, 1) \
  X(ClusterSchedulingPolicyLoadBalancing, 2)

#define OFFGRID_ENUM_SynchronizationPolicy(X) \
  X(SyncPolicyAuto, 1) \
  X(SyncPolicySpin, 2) \
  X(SyncPolicyYield, 3) \
  X(SyncPolicyBlockingSync, 4)

#define OFFGRID_ENUM_LaunchMemSyncDomain(X) \
  X(LaunchMemSyncDomainDefault, 0) \
  X(LaunchMemSyncDomainRemote, 1)

#define OFFGRID_ENUM_AccessProperty(X) \
  X(AccessPropertyNormal, 0) \
  X(AccessPropertyStreaming, 1) \
  X(AccessPropertyPersisting, 2)

#define OFFGRID_ENUM_DeviceP2PAttr(X) \
  X(DevP2PAttrPerformanceRank, 1) \
  X(DevP2PAttrAccessSupported, 2) \
  X(DevP2PAttrNativeAtomicSupported, 3) \
  X(DevP2PAttrCudaArrayAccessSupported, 4)

#define OFFGRID_ENUMS(E) \
  E(MemcpyKind) \
  E(MemoryType) \
  E(FuncCache) \
  E(SharedMemConfig) \
  E(SharedCarveout) \
  E(FuncAttribute) \
  E(Limit) \
  E(ComputeMode) \
  E(StreamCaptureMode) \
  E(StreamCaptureStatus) \
  E(GraphNodeType) \
  E(GraphExecUpdateResult) \
  E(GraphInstantiateFlags) \
  E(MemoryAdvise) \
  E(MemPoolAttr) \
  E(MemAllocationType) \
  E(MemAllocationHandleType) \
  E(MemLocationType) \
  E(LaunchAttributeID) \
  E(ClusterSchedulingPolicy) \
  E(SynchronizationPolicy) \
  E(LaunchMemSyncDomain) \
  E(AccessProperty) \
  E(DeviceP2PAttr)

#define OFFGRID_FLAGS(X) \
  X(HostAllocDefault, 0u) \
  X(HostAllocPortable, 1u) \
  X(HostAllocMapped, 2u) \
  X(HostAllocWriteCombined, 4u) \
  X(HostRegisterDefault, 0u) \
  X(HostRegisterPortable, 1u) \
  X(HostRegisterMapped, 2u) \
  X(HostRegisterIoMemory, 4u) \
  X(HostRegisterReadOnly, 8u) \
  X(MemAttachGlobal, 1u) \
  X(MemAttachHost, 2u) \
  X(MemAttachSingle, 4u) \
  X(StreamDefault, 0u) \
  X(StreamNonBlocking, 1u) \
  X(EventDefault, 0u) \
  X(EventBlockingSync, 1u) \
  X(EventDisableTiming, 2u) \
  X(EventInterprocess, 4u) \
  X(EventRecordDefault, 0u) \
  X(EventRecordExternal, 1u) \
  X(EventWaitDefault, 0u) \
  X(EventWaitExternal, 1u) \
  X(DeviceScheduleAuto, 0u) \
  X(DeviceScheduleSpin, 1u) \
  X(DeviceScheduleYield, 2u) \
  X(DeviceScheduleBlockingSync, 4u) \
  X(DeviceBlockingSync, 4u) \
  X(DeviceScheduleMask, 7u) \
  X(DeviceMapHost, 8u) \
  X(DeviceLmemResizeToMax, 16u) \
  X(DeviceMask, 0xffu) \
  X(OccupancyDefault, 0u) \
  X(OccupancyDisableCachingOverride, 1u) \
  X(CooperativeLaunchMultiDeviceNoPreSync, 1u) \
  X(CooperativeLaunchMultiDeviceNoPostSync, 2u) \
  X(CpuDeviceId, -1) \
  X(InvalidDeviceId, -2)
// clang-format on
