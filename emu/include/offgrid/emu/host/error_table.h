/// The runtime's error codes: value, CUDA's name, HIP's name, text. One row an error; both enumerations, both name
/// functions and the text function come from here.
#pragma once

// clang-format off
#define OFFGRID_HOST_ERRORS(X)                                                                                          \
  X(0, cudaSuccess, hipSuccess, "no error")                                                                             \
  X(1, cudaErrorInvalidValue, hipErrorInvalidValue, "invalid argument")                                                 \
  X(2, cudaErrorMemoryAllocation, hipErrorOutOfMemory, "out of memory")                                                 \
  X(3, cudaErrorInitializationError, hipErrorNotInitialized, "initialization error")                                    \
  X(4, cudaErrorCudartUnloading, hipErrorDeinitialized, "driver shutting down")                                         \
  X(5, cudaErrorProfilerDisabled, hipErrorProfilerDisabled, "profiler disabled")                                        \
  X(6, cudaErrorProfilerNotInitialized, hipErrorProfilerNotInitialized, "profiler not initialized")                     \
  X(7, cudaErrorProfilerAlreadyStarted, hipErrorProfilerAlreadyStarted, "profiler already started")                     \
  X(8, cudaErrorProfilerAlreadyStopped, hipErrorProfilerAlreadyStopped, "profiler already stopped")                     \
  X(9, cudaErrorInvalidConfiguration, hipErrorInvalidConfiguration, "invalid configuration argument")                   \
  X(12, cudaErrorInvalidPitchValue, hipErrorInvalidPitchValue, "invalid pitch argument")                                \
  X(13, cudaErrorInvalidSymbol, hipErrorInvalidSymbol, "invalid device symbol")                                         \
  X(16, cudaErrorInvalidHostPointer, hipErrorInvalidHostPointer, "invalid host pointer")                                \
  X(17, cudaErrorInvalidDevicePointer, hipErrorInvalidDevicePointer, "invalid device pointer")                          \
  X(18, cudaErrorInvalidTexture, hipErrorInvalidTexture, "invalid texture reference")                                   \
  X(19, cudaErrorInvalidTextureBinding, hipErrorInvalidTextureBinding, "texture is not bound to a pointer")             \
  X(20, cudaErrorInvalidChannelDescriptor, hipErrorInvalidChannelDescriptor, "invalid channel descriptor")              \
  X(21, cudaErrorInvalidMemcpyDirection, hipErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")           \
  X(26, cudaErrorInvalidFilterSetting, hipErrorInvalidFilterSetting, "linear filtering not supported for non-float type") \
  X(27, cudaErrorInvalidNormSetting, hipErrorInvalidNormSetting, "normalized read not supported for 32-bit integers")   \
  X(34, cudaErrorStubLibrary, hipErrorStubLibrary, "driver is a stub library")                                          \
  X(35, cudaErrorInsufficientDriver, hipErrorInsufficientDriver, "driver version is insufficient for runtime version")  \
  X(36, cudaErrorCallRequiresNewerDriver, hipErrorCallRequiresNewerDriver, "call requires a newer driver")              \
  X(37, cudaErrorInvalidSurface, hipErrorInvalidSurface, "invalid surface reference")                                   \
  X(46, cudaErrorDevicesUnavailable, hipErrorDevicesUnavailable, "all devices are busy or unavailable")                 \
  X(52, cudaErrorMissingConfiguration, hipErrorMissingConfiguration, "kernel launch without a configuration")           \
  X(65, cudaErrorLaunchMaxDepthExceeded, hipErrorLaunchMaxDepthExceeded, "launch nested too deeply")                    \
  X(98, cudaErrorInvalidDeviceFunction, hipErrorInvalidDeviceFunction, "invalid device function")                       \
  X(100, cudaErrorNoDevice, hipErrorNoDevice, "no device is detected")                                                  \
  X(101, cudaErrorInvalidDevice, hipErrorInvalidDevice, "invalid device ordinal")                                       \
  X(127, cudaErrorStartupFailure, hipErrorStartupFailure, "startup failure in the runtime")                             \
  X(200, cudaErrorInvalidKernelImage, hipErrorInvalidImage, "device kernel image is invalid")                           \
  X(201, cudaErrorDeviceUninitialized, hipErrorInvalidContext, "invalid device context")                                \
  X(205, cudaErrorMapBufferObjectFailed, hipErrorMapFailed, "mapping of buffer object failed")                          \
  X(206, cudaErrorUnmapBufferObjectFailed, hipErrorUnmapFailed, "unmapping of buffer object failed")                    \
  X(207, cudaErrorArrayIsMapped, hipErrorArrayIsMapped, "array is mapped")                                              \
  X(208, cudaErrorAlreadyMapped, hipErrorAlreadyMapped, "resource already mapped")                                      \
  X(209, cudaErrorNoKernelImageForDevice, hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device") \
  X(210, cudaErrorAlreadyAcquired, hipErrorAlreadyAcquired, "resource already acquired")                                \
  X(211, cudaErrorNotMapped, hipErrorNotMapped, "resource not mapped")                                                  \
  X(214, cudaErrorECCUncorrectable, hipErrorECCNotCorrectable, "uncorrectable ECC error encountered")                   \
  X(215, cudaErrorUnsupportedLimit, hipErrorUnsupportedLimit, "limit is not supported on this architecture")            \
  X(216, cudaErrorDeviceAlreadyInUse, hipErrorContextAlreadyInUse, "device is in use by another thread")                \
  X(217, cudaErrorPeerAccessUnsupported, hipErrorPeerAccessUnsupported, "peer access is not supported between these two devices") \
  X(218, cudaErrorInvalidPtx, hipErrorInvalidKernelFile, "a PTX JIT compilation failed")                                \
  X(219, cudaErrorInvalidGraphicsContext, hipErrorInvalidGraphicsContext, "invalid graphics context")                   \
  X(300, cudaErrorInvalidSource, hipErrorInvalidSource, "device kernel image is invalid")                               \
  X(301, cudaErrorFileNotFound, hipErrorFileNotFound, "file not found")                                                 \
  X(302, cudaErrorSharedObjectSymbolNotFound, hipErrorSharedObjectSymbolNotFound, "shared object symbol not found")     \
  X(303, cudaErrorSharedObjectInitFailed, hipErrorSharedObjectInitFailed, "shared object initialization failed")        \
  X(304, cudaErrorOperatingSystem, hipErrorOperatingSystem, "OS call failed or operation not supported on this OS")     \
  X(400, cudaErrorInvalidResourceHandle, hipErrorInvalidHandle, "invalid resource handle")                              \
  X(401, cudaErrorIllegalState, hipErrorIllegalState, "the operation cannot be performed in the present state")         \
  X(500, cudaErrorSymbolNotFound, hipErrorNotFound, "named symbol not found")                                           \
  X(600, cudaErrorNotReady, hipErrorNotReady, "device not ready")                                                       \
  X(700, cudaErrorIllegalAddress, hipErrorIllegalAddress, "an illegal memory access was encountered")                   \
  X(701, cudaErrorLaunchOutOfResources, hipErrorLaunchOutOfResources, "too many resources requested for launch")        \
  X(702, cudaErrorLaunchTimeout, hipErrorLaunchTimeOut, "the launch timed out and was terminated")                      \
  X(704, cudaErrorPeerAccessAlreadyEnabled, hipErrorPeerAccessAlreadyEnabled, "peer access is already enabled")         \
  X(705, cudaErrorPeerAccessNotEnabled, hipErrorPeerAccessNotEnabled, "peer access has not been enabled")               \
  X(708, cudaErrorSetOnActiveProcess, hipErrorSetOnActiveProcess, "cannot set while device is active in this process")  \
  X(709, cudaErrorContextIsDestroyed, hipErrorContextIsDestroyed, "context is destroyed")                               \
  X(710, cudaErrorAssert, hipErrorAssert, "device-side assert triggered")                                               \
  X(711, cudaErrorTooManyPeers, hipErrorTooManyPeers, "peer mapping resources exhausted")                               \
  X(712, cudaErrorHostMemoryAlreadyRegistered, hipErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped") \
  X(713, cudaErrorHostMemoryNotRegistered, hipErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region") \
  X(714, cudaErrorHardwareStackError, hipErrorHardwareStackError, "hardware stack error")                               \
  X(715, cudaErrorIllegalInstruction, hipErrorIllegalInstruction, "an illegal instruction was encountered")             \
  X(716, cudaErrorMisalignedAddress, hipErrorMisalignedAddress, "misaligned address")                                   \
  X(717, cudaErrorInvalidAddressSpace, hipErrorInvalidAddressSpace, "operation not supported on this address space")    \
  X(718, cudaErrorInvalidPc, hipErrorInvalidPc, "invalid program counter")                                              \
  X(719, cudaErrorLaunchFailure, hipErrorLaunchFailure, "unspecified launch failure")                                   \
  X(720, cudaErrorCooperativeLaunchTooLarge, hipErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch") \
  X(800, cudaErrorNotPermitted, hipErrorNotPermitted, "operation not permitted")                                        \
  X(801, cudaErrorNotSupported, hipErrorNotSupported, "operation not supported")                                        \
  X(802, cudaErrorSystemNotReady, hipErrorSystemNotReady, "system not yet initialized")                                 \
  X(803, cudaErrorSystemDriverMismatch, hipErrorSystemDriverMismatch, "system has unsupported display driver / driver combination") \
  X(900, cudaErrorStreamCaptureUnsupported, hipErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing") \
  X(901, cudaErrorStreamCaptureInvalidated, hipErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture") \
  X(902, cudaErrorStreamCaptureMerge, hipErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences") \
  X(903, cudaErrorStreamCaptureUnmatched, hipErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began") \
  X(904, cudaErrorStreamCaptureUnjoined, hipErrorStreamCaptureUnjoined, "capturing stream has unjoined work")           \
  X(905, cudaErrorStreamCaptureIsolation, hipErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream") \
  X(906, cudaErrorStreamCaptureImplicit, hipErrorStreamCaptureImplicit, "operation would make the legacy stream depend on a capturing blocking stream") \
  X(907, cudaErrorCapturedEvent, hipErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream") \
  X(908, cudaErrorStreamCaptureWrongThread, hipErrorStreamCaptureWrongThread, "attempt to terminate a thread-local capture sequence from another thread") \
  X(909, cudaErrorTimeout, hipErrorTimeout, "wait operation timed out")                                                 \
  X(910, cudaErrorGraphExecUpdateFailure, hipErrorGraphExecUpdateFailure, "the graph update was not performed because it included changes which violated constraints") \
  X(912, cudaErrorInvalidClusterSize, hipErrorInvalidClusterSize, "cluster misconfiguration")                           \
  X(999, cudaErrorUnknown, hipErrorUnknown, "unknown error")
// clang-format on
