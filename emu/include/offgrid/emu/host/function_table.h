/// The runtime's functions: X(name without prefix, parameters, arguments). Each row declares cudaNAME, defined in
/// emu/host, and defines hipNAME over it. All return cudaError_t.
#pragma once

// clang-format off
#define OFFGRID_DEVICE_FUNCTIONS(X)                                                                                     \
  X(GetLastError, (), ())                                                                                               \
  X(PeekAtLastError, (), ())                                                                                            \
  X(GetDeviceCount, (int* count), (count))                                                                              \
  X(GetDevice, (int* device), (device))                                                                                 \
  X(SetDevice, (int device), (device))                                                                                  \
  X(InitDevice, (int device, unsigned int device_flags, unsigned int flags), (device, device_flags, flags))             \
  X(SetValidDevices, (int* devices, int count), (devices, count))                                                       \
  X(SetDeviceFlags, (unsigned int flags), (flags))                                                                      \
  X(GetDeviceFlags, (unsigned int* flags), (flags))                                                                     \
  X(GetDeviceProperties, (cudaDeviceProp* properties, int device), (properties, device))                                \
  X(DeviceGetAttribute, (int* value, cudaDeviceAttr attribute, int device), (value, attribute, device))                 \
  X(ChooseDevice, (int* device, const cudaDeviceProp* wanted), (device, wanted))                                        \
  X(DeviceSynchronize, (), ())                                                                                          \
  X(DeviceReset, (), ())                                                                                                \
  X(DeviceSetLimit, (cudaLimit limit, size_t value), (limit, value))                                                    \
  X(DeviceGetLimit, (size_t* value, cudaLimit limit), (value, limit))                                                   \
  X(DeviceSetCacheConfig, (cudaFuncCache config), (config))                                                             \
  X(DeviceGetCacheConfig, (cudaFuncCache* config), (config))                                                            \
  X(DeviceSetSharedMemConfig, (cudaSharedMemConfig config), (config))                                                   \
  X(DeviceGetSharedMemConfig, (cudaSharedMemConfig* config), (config))                                                  \
  X(DeviceGetStreamPriorityRange, (int* least, int* greatest), (least, greatest))                                       \
  X(DeviceGetPCIBusId, (char* text, int bytes, int device), (text, bytes, device))                                      \
  X(DeviceGetByPCIBusId, (int* device, const char* text), (device, text))                                               \
  X(DeviceCanAccessPeer, (int* can, int device, int peer), (can, device, peer))                                         \
  X(DeviceEnablePeerAccess, (int peer, unsigned int flags), (peer, flags))                                              \
  X(DeviceDisablePeerAccess, (int peer), (peer))                                                                        \
  X(DeviceGetP2PAttribute, (int* value, cudaDeviceP2PAttr attribute, int from, int to), (value, attribute, from, to))   \
  X(CtxResetPersistingL2Cache, (), ())                                                                                  \
  X(DriverGetVersion, (int* version), (version))                                                                        \
  X(RuntimeGetVersion, (int* version), (version))                                                                       \
  X(ProfilerStart, (), ())                                                                                              \
  X(ProfilerStop, (), ())

#define OFFGRID_MEMORY_FUNCTIONS(X)                                                                                     \
  X(Malloc, (void** pointer, size_t bytes), (pointer, bytes))                                                           \
  X(MallocHost, (void** pointer, size_t bytes), (pointer, bytes))                                                       \
  X(HostAlloc, (void** pointer, size_t bytes, unsigned int flags), (pointer, bytes, flags))                             \
  X(MallocManaged, (void** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal), (pointer, bytes, flags))   \
  X(MallocPitch, (void** pointer, size_t* pitch, size_t width, size_t height), (pointer, pitch, width, height))         \
  X(Malloc3D, (cudaPitchedPtr* pitched, cudaExtent extent), (pitched, extent))                                          \
  X(MallocAsync, (void** pointer, size_t bytes, cudaStream_t stream), (pointer, bytes, stream))                         \
  X(MallocFromPoolAsync, (void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),                       \
    (pointer, bytes, pool, stream))                                                                                     \
  X(Free, (void* pointer), (pointer))                                                                                   \
  X(FreeHost, (void* pointer), (pointer))                                                                               \
  X(FreeAsync, (void* pointer, cudaStream_t stream), (pointer, stream))                                                 \
  X(HostRegister, (void* pointer, size_t bytes, unsigned int flags), (pointer, bytes, flags))                           \
  X(HostUnregister, (void* pointer), (pointer))                                                                         \
  X(HostGetDevicePointer, (void** device, void* host, unsigned int flags), (device, host, flags))                       \
  X(HostGetFlags, (unsigned int* flags, void* host), (flags, host))                                                     \
  X(MemGetInfo, (size_t* free_bytes, size_t* total_bytes), (free_bytes, total_bytes))                                   \
  X(PointerGetAttributes, (cudaPointerAttributes* attributes, const void* pointer), (attributes, pointer))              \
  X(Memcpy, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind), (to, from, bytes, kind))                   \
  X(MemcpyAsync, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr),        \
    (to, from, bytes, kind, stream))                                                                                    \
  X(MemcpyPeer, (void* to, int to_device, const void* from, int from_device, size_t bytes),                             \
    (to, to_device, from, from_device, bytes))                                                                          \
  X(MemcpyPeerAsync, (void* to, int to_device, const void* from, int from_device, size_t bytes,                         \
    cudaStream_t stream = nullptr), (to, to_device, from, from_device, bytes, stream))                                  \
  X(Memcpy2D, (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,             \
    cudaMemcpyKind kind), (to, to_pitch, from, from_pitch, width, height, kind))                                        \
  X(Memcpy2DAsync, (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,        \
    cudaMemcpyKind kind, cudaStream_t stream = nullptr), (to, to_pitch, from, from_pitch, width, height, kind, stream)) \
  X(Memcpy3D, (const cudaMemcpy3DParms* parameters), (parameters))                                                      \
  X(Memcpy3DAsync, (const cudaMemcpy3DParms* parameters, cudaStream_t stream = nullptr), (parameters, stream))          \
  X(Memset, (void* pointer, int value, size_t bytes), (pointer, value, bytes))                                          \
  X(MemsetAsync, (void* pointer, int value, size_t bytes, cudaStream_t stream = nullptr),                               \
    (pointer, value, bytes, stream))                                                                                    \
  X(Memset2D, (void* pointer, size_t pitch, int value, size_t width, size_t height),                                    \
    (pointer, pitch, value, width, height))                                                                             \
  X(Memset2DAsync, (void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream = nullptr), \
    (pointer, pitch, value, width, height, stream))                                                                     \
  X(Memset3D, (cudaPitchedPtr pitched, int value, cudaExtent extent), (pitched, value, extent))                         \
  X(Memset3DAsync, (cudaPitchedPtr pitched, int value, cudaExtent extent, cudaStream_t stream = nullptr),               \
    (pitched, value, extent, stream))                                                                                   \
  X(DeviceGetDefaultMemPool, (cudaMemPool_t* pool, int device), (pool, device))                                         \
  X(DeviceGetMemPool, (cudaMemPool_t* pool, int device), (pool, device))                                                \
  X(DeviceSetMemPool, (int device, cudaMemPool_t pool), (device, pool))                                                 \
  X(MemPoolCreate, (cudaMemPool_t* pool, const cudaMemPoolProps* properties), (pool, properties))                       \
  X(MemPoolDestroy, (cudaMemPool_t pool), (pool))                                                                       \
  X(MemPoolTrimTo, (cudaMemPool_t pool, size_t bytes), (pool, bytes))                                                   \
  X(MemPoolSetAttribute, (cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value), (pool, attribute, value))        \
  X(MemPoolGetAttribute, (cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value), (pool, attribute, value))

#define OFFGRID_STREAM_FUNCTIONS(X)                                                                                     \
  X(StreamCreate, (cudaStream_t* stream), (stream))                                                                     \
  X(StreamCreateWithFlags, (cudaStream_t* stream, unsigned int flags), (stream, flags))                                 \
  X(StreamCreateWithPriority, (cudaStream_t* stream, unsigned int flags, int priority), (stream, flags, priority))      \
  X(StreamDestroy, (cudaStream_t stream), (stream))                                                                     \
  X(StreamSynchronize, (cudaStream_t stream), (stream))                                                                 \
  X(StreamQuery, (cudaStream_t stream), (stream))                                                                       \
  X(StreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0), (stream, event, flags))          \
  X(StreamGetPriority, (cudaStream_t stream, int* priority), (stream, priority))                                        \
  X(StreamGetFlags, (cudaStream_t stream, unsigned int* flags), (stream, flags))                                        \
  X(StreamGetId, (cudaStream_t stream, unsigned long long* id), (stream, id))                                           \
  X(StreamGetDevice, (cudaStream_t stream, int* device), (stream, device))                                              \
  X(StreamAddCallback, (cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int flags),            \
    (stream, callback, data, flags))                                                                                    \
  X(StreamAttachMemAsync, (cudaStream_t stream, void* pointer, size_t bytes = 0, unsigned int flags = cudaMemAttachSingle), \
    (stream, pointer, bytes, flags))                                                                                    \
  X(LaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void* data), (stream, function, data))                 \
  X(EventCreate, (cudaEvent_t* event), (event))                                                                         \
  X(EventCreateWithFlags, (cudaEvent_t* event, unsigned int flags), (event, flags))                                     \
  X(EventDestroy, (cudaEvent_t event), (event))                                                                         \
  X(EventRecord, (cudaEvent_t event, cudaStream_t stream = nullptr), (event, stream))                                   \
  X(EventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream = nullptr, unsigned int flags = 0),                   \
    (event, stream, flags))                                                                                             \
  X(EventQuery, (cudaEvent_t event), (event))                                                                           \
  X(EventSynchronize, (cudaEvent_t event), (event))                                                                     \
  X(EventElapsedTime, (float* milliseconds, cudaEvent_t start, cudaEvent_t end), (milliseconds, start, end))            \
  X(StreamBeginCapture, (cudaStream_t stream, cudaStreamCaptureMode mode), (stream, mode))                              \
  X(StreamEndCapture, (cudaStream_t stream, cudaGraph_t* graph), (stream, graph))                                       \
  X(StreamIsCapturing, (cudaStream_t stream, cudaStreamCaptureStatus* status), (stream, status))                        \
  X(ThreadExchangeStreamCaptureMode, (cudaStreamCaptureMode* mode), (mode))

#define OFFGRID_LAUNCH_FUNCTIONS(X)                                                                                     \
  X(LaunchKernel, (const void* function, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream),  \
    (function, grid, block, arguments, shared, stream))                                                                 \
  X(LaunchCooperativeKernel, (const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,             \
    cudaStream_t stream), (function, grid, block, arguments, shared, stream))                                           \
  X(LaunchKernelExC, (const cudaLaunchConfig_t* config, const void* function, void** arguments),                        \
    (config, function, arguments))                                                                                      \
  X(FuncSetAttribute, (const void* function, cudaFuncAttribute attribute, int value), (function, attribute, value))     \
  X(FuncGetAttributes, (cudaFuncAttributes* attributes, const void* function), (attributes, function))                  \
  X(FuncSetCacheConfig, (const void* function, cudaFuncCache config), (function, config))                               \
  X(FuncSetSharedMemConfig, (const void* function, cudaSharedMemConfig config), (function, config))                     \
  X(FuncGetName, (const char** name, const void* function), (name, function))                                           \
  X(OccupancyMaxActiveBlocksPerMultiprocessor, (int* blocks, const void* function, int threads, size_t shared),         \
    (blocks, function, threads, shared))                                                                                \
  X(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags,                                                                 \
    (int* blocks, const void* function, int threads, size_t shared, unsigned int flags),                                \
    (blocks, function, threads, shared, flags))                                                                         \
  X(OccupancyAvailableDynamicSMemPerBlock, (size_t* bytes, const void* function, int blocks, int threads),              \
    (bytes, function, blocks, threads))                                                                                 \
  X(OccupancyMaxActiveClusters, (int* clusters, const void* function, const cudaLaunchConfig_t* config),                \
    (clusters, function, config))                                                                                       \
  X(OccupancyMaxPotentialClusterSize, (int* blocks, const void* function, const cudaLaunchConfig_t* config),            \
    (blocks, function, config))

#define OFFGRID_GRAPH_FUNCTIONS(X)                                                                                      \
  X(GraphCreate, (cudaGraph_t* graph, unsigned int flags), (graph, flags))                                              \
  X(GraphDestroy, (cudaGraph_t graph), (graph))                                                                         \
  X(GraphClone, (cudaGraph_t* clone, cudaGraph_t graph), (clone, graph))                                                \
  X(GraphAddKernelNode, (cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t after_count,    \
    const cudaKernelNodeParams* parameters), (node, graph, after, after_count, parameters))                             \
  X(GraphAddMemcpyNode, (cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t after_count,    \
    const cudaMemcpy3DParms* parameters), (node, graph, after, after_count, parameters))                                \
  X(GraphAddMemcpyNode1D, (cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t after_count,  \
    void* to, const void* from, size_t bytes, cudaMemcpyKind kind),                                                     \
    (node, graph, after, after_count, to, from, bytes, kind))                                                           \
  X(GraphAddMemsetNode, (cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t after_count,    \
    const cudaMemsetParams* parameters), (node, graph, after, after_count, parameters))                                 \
  X(GraphAddHostNode, (cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t after_count,      \
    const cudaHostNodeParams* parameters), (node, graph, after, after_count, parameters))                               \
  X(GraphAddChildGraphNode, (cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t after_count, \
    cudaGraph_t child), (node, graph, after, after_count, child))                                                       \
  X(GraphAddEmptyNode, (cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t after_count),    \
    (node, graph, after, after_count))                                                                                  \
  X(GraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count), (graph, nodes, count))                   \
  X(GraphGetRootNodes, (cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count), (graph, nodes, count))               \
  X(GraphNodeGetType, (cudaGraphNode_t node, cudaGraphNodeType* type), (node, type))                                    \
  X(GraphKernelNodeGetParams, (cudaGraphNode_t node, cudaKernelNodeParams* parameters), (node, parameters))             \
  X(GraphKernelNodeSetParams, (cudaGraphNode_t node, const cudaKernelNodeParams* parameters), (node, parameters))       \
  X(GraphInstantiateWithFlags, (cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags = 0),                \
    (exec, graph, flags))                                                                                               \
  X(GraphInstantiateWithParams, (cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphInstantiateParams* parameters),     \
    (exec, graph, parameters))                                                                                          \
  X(GraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream))                                           \
  X(GraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream))                                           \
  X(GraphExecDestroy, (cudaGraphExec_t exec), (exec))                                                                   \
  X(GraphExecKernelNodeSetParams, (cudaGraphExec_t exec, cudaGraphNode_t node, const cudaKernelNodeParams* parameters), \
    (exec, node, parameters))                                                                                           \
  X(GraphExecMemcpyNodeSetParams1D, (cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from,            \
    size_t bytes, cudaMemcpyKind kind), (exec, node, to, from, bytes, kind))                                            \
  X(GraphExecMemsetNodeSetParams, (cudaGraphExec_t exec, cudaGraphNode_t node, const cudaMemsetParams* parameters),     \
    (exec, node, parameters))

#define OFFGRID_HOST_FUNCTIONS(X) \
  OFFGRID_DEVICE_FUNCTIONS(X)     \
  OFFGRID_MEMORY_FUNCTIONS(X)     \
  OFFGRID_STREAM_FUNCTIONS(X)     \
  OFFGRID_LAUNCH_FUNCTIONS(X)     \
  OFFGRID_GRAPH_FUNCTIONS(X)
// clang-format on
