/// What the inline part of the runtime API (templates, overloads) calls.
#pragma once

#include <offgrid/emu/host/device_prop.h>

namespace offgrid::emu::host {

/// Copies between memory and a `__device__` or `__constant__` variable.
cudaError_t copy_symbol(bool to_symbol, const void* symbol, size_t symbol_bytes, void* memory, size_t bytes,
                        size_t offset, cudaMemcpyKind kind, bool async, cudaStream_t stream);

/// Makes the variable known as device memory and gives its address.
cudaError_t symbol_address(void** address, const void* symbol, size_t bytes);

/// The block size with the highest occupancy, the largest of equal ones, and the grid that fills the device with it.
/// shared_of(context, threads) is the dynamic shared memory that a block of this size needs. limit 0: the kernel's own.
cudaError_t best_block_size(int* min_grid, int* block, const void* function,
                            size_t (*shared_of)(const void* context, int threads), const void* context, int limit);

cudaError_t prefetch(const void* pointer, size_t bytes);
cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                         cudaGraph_t* graph, const cudaGraphNode_t** dependencies, size_t* count);
/// The same with the edge data of CUDA 13, which the emulator's graphs do not have: *edges becomes null.
cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                         cudaGraph_t* graph, const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                         size_t* count);
/// Graph instantiation as before CUDA 12; the log becomes empty.
cudaError_t instantiate_with_log(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log,
                                 size_t log_bytes);
cudaError_t update_exec(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info);
/// The same as before CUDA 12, and as HIP has it.
cudaError_t update_exec(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                        cudaGraphExecUpdateResult* result);
cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count);
cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count);
cudaError_t get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, size_t* count);

template <class Function>
const void* address_of(Function* function) {
  return reinterpret_cast<const void*>(function);
}

/// cudaLaunchKernelEx: the arguments are converted to the kernel's own parameter types.
template <class... P, class... A>
cudaError_t launch_with(const cudaLaunchConfig_t* config, void (*kernel)(P...), A&&... arguments);

template <class Shared>
cudaError_t best_block_size_for(int* min_grid, int* block, const void* function, const Shared& shared_of, int limit) {
  const auto call = [](const void* context, int threads) -> size_t {
    return static_cast<size_t>((*static_cast<const Shared*>(context))(threads));
  };
  return best_block_size(min_grid, block, function, call, &shared_of, limit);
}

}  // namespace offgrid::emu::host
