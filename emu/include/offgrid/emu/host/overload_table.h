/// The C++ part of the runtime API, for both spellings: X(template head or nothing, name, parameters, result).
#pragma once

#include <offgrid/emu/host/internal.h>

#include <type_traits>
#include <utility>

// clang-format off
#define OFFGRID_TYPED_ALLOCATION(X)                                                                                    \
  X((template <class T>), Malloc, (T** pointer, size_t bytes), ::cudaMalloc(reinterpret_cast<void**>(pointer), bytes)) \
  X((template <class T>), MallocHost, (T** pointer, size_t bytes, unsigned int flags = 0),                             \
    ::cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags))                                                  \
  X((template <class T>), HostAlloc, (T** pointer, size_t bytes, unsigned int flags),                                  \
    ::cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags))                                                  \
  X((template <class T>), MallocManaged, (T** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal),        \
    ::cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags))                                              \
  X((template <class T>), MallocPitch, (T** pointer, size_t* pitch, size_t width, size_t height),                      \
    ::cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height))                                        \
  X((template <class T>), MallocAsync, (T** pointer, size_t bytes, cudaStream_t stream),                               \
    ::cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream))                                               \
  X((template <class T>), MallocAsync, (T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),           \
    ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream))                                 \
  X((template <class T>), MallocFromPoolAsync, (T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),   \
    ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream))                                 \
  X((template <class T>), HostGetDevicePointer, (T** device, void* host, unsigned int flags),                          \
    ::cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags))                                         \
  X((), MemPrefetchAsync, (const void* pointer, size_t bytes, int, cudaStream_t = nullptr),                      \
    offgrid::emu::host::prefetch(pointer, bytes))                                                                      \
  X((), MemPrefetchAsync,                                                                                        \
    (const void* pointer, size_t bytes, cudaMemLocation, unsigned int, cudaStream_t = nullptr),                        \
    offgrid::emu::host::prefetch(pointer, bytes))                                                                      \
  X((), MemAdvise, (const void* pointer, size_t bytes, cudaMemoryAdvise, int),                                   \
    offgrid::emu::host::prefetch(pointer, bytes))                                                                      \
  X((), MemAdvise, (const void* pointer, size_t bytes, cudaMemoryAdvise, cudaMemLocation),                       \
    offgrid::emu::host::prefetch(pointer, bytes))

#define OFFGRID_SYMBOL_ACCESS(X)                                                                                       \
  X((template <class T>), MemcpyToSymbol, (const T& symbol, const void* from, size_t bytes, size_t offset = 0,         \
    cudaMemcpyKind kind = cudaMemcpyHostToDevice),                                                                     \
    offgrid::emu::host::copy_symbol(true, &symbol, sizeof(T), const_cast<void*>(from), bytes, offset, kind, false,     \
                                    nullptr))                                                                          \
  X((template <class T>), MemcpyToSymbolAsync, (const T& symbol, const void* from, size_t bytes, size_t offset = 0,    \
    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr),                                      \
    offgrid::emu::host::copy_symbol(true, &symbol, sizeof(T), const_cast<void*>(from), bytes, offset, kind, true,      \
                                    stream))                                                                           \
  X((template <class T>), MemcpyFromSymbol, (void* to, const T& symbol, size_t bytes, size_t offset = 0,               \
    cudaMemcpyKind kind = cudaMemcpyDeviceToHost),                                                                     \
    offgrid::emu::host::copy_symbol(false, &symbol, sizeof(T), to, bytes, offset, kind, false, nullptr))               \
  X((template <class T>), MemcpyFromSymbolAsync, (void* to, const T& symbol, size_t bytes, size_t offset = 0,          \
    cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr),                                      \
    offgrid::emu::host::copy_symbol(false, &symbol, sizeof(T), to, bytes, offset, kind, true, stream))                 \
  X((template <class T>), GetSymbolAddress, (void** address, const T& symbol),                                         \
    offgrid::emu::host::symbol_address(address, &symbol, sizeof(T)))                                                   \
  X((template <class P, class T, class = std::enable_if_t<!std::is_void_v<P>>>), GetSymbolAddress,                     \
    (P** address, const T& symbol),                                                                                    \
    offgrid::emu::host::symbol_address(reinterpret_cast<void**>(address), &symbol, sizeof(T)))                         \
  X((template <class T>), GetSymbolSize, (size_t* bytes, const T&),                                                    \
    bytes == nullptr ? cudaErrorInvalidValue : (*bytes = sizeof(T), cudaSuccess))

#define OFFGRID_KERNEL_FUNCTIONS(X)                                                                                    \
  X((template <class T>), LaunchKernel, (T* function, dim3 grid, dim3 block, void** arguments, size_t shared = 0,      \
    cudaStream_t stream = nullptr),                                                                                    \
    ::cudaLaunchKernel(offgrid::emu::host::address_of(function), grid, block, arguments, shared, stream))              \
  X((template <class T>), LaunchCooperativeKernel, (T* function, dim3 grid, dim3 block, void** arguments,              \
    size_t shared = 0, cudaStream_t stream = nullptr),                                                                 \
    ::cudaLaunchCooperativeKernel(offgrid::emu::host::address_of(function), grid, block, arguments, shared, stream))   \
  X((template <class T>), FuncSetAttribute, (T* function, cudaFuncAttribute attribute, int value),                     \
    ::cudaFuncSetAttribute(offgrid::emu::host::address_of(function), attribute, value))                                \
  X((template <class T>), FuncGetAttributes, (cudaFuncAttributes* attributes, T* function),                            \
    ::cudaFuncGetAttributes(attributes, offgrid::emu::host::address_of(function)))                                     \
  X((template <class T>), FuncSetCacheConfig, (T* function, cudaFuncCache config),                                     \
    ::cudaFuncSetCacheConfig(offgrid::emu::host::address_of(function), config))                                        \
  X((template <class T>), FuncSetSharedMemConfig, (T* function, cudaSharedMemConfig config),                           \
    ::cudaFuncSetSharedMemConfig(offgrid::emu::host::address_of(function), config))                                    \
  X((template <class T>), FuncGetName, (const char** name, T* function),                                               \
    ::cudaFuncGetName(name, offgrid::emu::host::address_of(function)))                                                 \
  X((template <class T>), OccupancyMaxActiveBlocksPerMultiprocessor,                                                   \
    (int* blocks, T* function, int threads, size_t shared),                                                            \
    ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, offgrid::emu::host::address_of(function), threads,         \
                                                    shared))                                                           \
  X((template <class T>), OccupancyMaxActiveBlocksPerMultiprocessorWithFlags,                                          \
    (int* blocks, T* function, int threads, size_t shared, unsigned int flags),                                        \
    ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, offgrid::emu::host::address_of(function),         \
                                                             threads, shared, flags))                                  \
  X((template <class T>), OccupancyAvailableDynamicSMemPerBlock,                                                       \
    (size_t* bytes, T* function, int blocks, int threads),                                                             \
    ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, offgrid::emu::host::address_of(function), blocks, threads))     \
  X((template <class T>), OccupancyMaxActiveClusters, (int* clusters, T* function, const cudaLaunchConfig_t* config),  \
    ::cudaOccupancyMaxActiveClusters(clusters, offgrid::emu::host::address_of(function), config))                      \
  X((template <class T>), OccupancyMaxPotentialClusterSize, (int* blocks, T* function,                                 \
    const cudaLaunchConfig_t* config),                                                                                 \
    ::cudaOccupancyMaxPotentialClusterSize(blocks, offgrid::emu::host::address_of(function), config))                  \
  X((template <class T>), OccupancyMaxPotentialBlockSize,                                                              \
    (int* min_grid, int* block, T* function, size_t shared = 0, int limit = 0),                                        \
    offgrid::emu::host::best_block_size_for(min_grid, block, offgrid::emu::host::address_of(function),                 \
                                            [shared](int) { return shared; }, limit))                                  \
  X((template <class T>), OccupancyMaxPotentialBlockSizeWithFlags,                                                     \
    (int* min_grid, int* block, T* function, size_t shared = 0, int limit = 0, unsigned int = 0),                      \
    offgrid::emu::host::best_block_size_for(min_grid, block, offgrid::emu::host::address_of(function),                 \
                                            [shared](int) { return shared; }, limit))                                  \
  X((template <class S, class T>), OccupancyMaxPotentialBlockSizeVariableSMem,                                         \
    (int* min_grid, int* block, T* function, S shared_of, int limit = 0),                                              \
    offgrid::emu::host::best_block_size_for(min_grid, block, offgrid::emu::host::address_of(function), shared_of,      \
                                            limit))                                                                    \
  X((template <class... P, class... A>), LaunchKernelEx,                                                               \
    (const cudaLaunchConfig_t* config, void (*kernel)(P...), A&&... arguments),                                        \
    offgrid::emu::host::launch_with(config, kernel, std::forward<A>(arguments)...))

#define OFFGRID_GRAPH_OVERLOADS(X)                                                                                     \
  X((), EventCreate, (cudaEvent_t* event, unsigned int flags), ::cudaEventCreateWithFlags(event, flags))         \
  X((), GraphInstantiate, (cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags = 0),              \
    ::cudaGraphInstantiateWithFlags(exec, graph, flags))                                                               \
  X((), GraphInstantiate,                                                                                        \
    (cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log, size_t log_bytes),              \
    offgrid::emu::host::instantiate_with_log(exec, graph, error_node, log, log_bytes))                                 \
  X((), GraphExecUpdate, (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info),         \
    offgrid::emu::host::update_exec(exec, graph, info))                                                                \
  X((), GraphExecUpdate,                                                                                         \
    (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error_node, cudaGraphExecUpdateResult* result),         \
    offgrid::emu::host::update_exec(exec, graph, error_node, result))                                                  \
  X((), GraphAddDependencies,                                                                                    \
    (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count),                         \
    offgrid::emu::host::add_dependencies(graph, from, to, count))                                                      \
  X((), GraphAddDependencies,                                                                                    \
    (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, const cudaGraphEdgeData*,              \
     size_t count),                                                                                                    \
    offgrid::emu::host::add_dependencies(graph, from, to, count))                                                      \
  X((), GraphGetEdges, (cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count),           \
    offgrid::emu::host::get_edges(graph, from, to, count))                                                             \
  X((), GraphGetEdges,                                                                                           \
    (cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData*, size_t* count),                \
    offgrid::emu::host::get_edges(graph, from, to, count))                                                             \
  X((), GraphNodeGetDependencies, (cudaGraphNode_t node, cudaGraphNode_t* dependencies, size_t* count),          \
    offgrid::emu::host::get_dependencies(node, dependencies, count))                                                   \
  X((), GraphNodeGetDependencies,                                                                                \
    (cudaGraphNode_t node, cudaGraphNode_t* dependencies, cudaGraphEdgeData*, size_t* count),                          \
    offgrid::emu::host::get_dependencies(node, dependencies, count))                                                   \
  X((), StreamGetCaptureInfo,                                                                                    \
    (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id = nullptr,                           \
     cudaGraph_t* graph = nullptr, const cudaGraphNode_t** dependencies = nullptr, size_t* count = nullptr),           \
    offgrid::emu::host::capture_info(stream, status, id, graph, dependencies, count))                                  \
  X((), StreamGetCaptureInfo,                                                                                    \
    (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,                 \
     const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges, size_t* count),                            \
    offgrid::emu::host::capture_info(stream, status, id, graph, dependencies, edges, count))

#define OFFGRID_HOST_OVERLOADS(X) \
  OFFGRID_TYPED_ALLOCATION(X)     \
  OFFGRID_SYMBOL_ACCESS(X)        \
  OFFGRID_KERNEL_FUNCTIONS(X)     \
  OFFGRID_GRAPH_OVERLOADS(X)
// clang-format on
