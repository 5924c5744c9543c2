// cudaOccupancyXxx over the one model of residency in launch/occupancy.h.
#include <offgrid/emu/engine.h>

#include <algorithm>

#include "host/kernels.h"
#include "launch/occupancy.h"
#include "launch/validate.h"

using namespace offgrid::emu;
using namespace offgrid::emu::host;

namespace {

cudaError_t active_blocks(const ApiCall& api, int* blocks, const void* function, int threads, size_t shared) {
  if (blocks == nullptr || threads <= 0) return api.done(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const KernelDescriptor* kernel = kernel_of(api, function, &error);
  if (kernel == nullptr) return error;
  *blocks = static_cast<int>(resident_blocks(active_profile(), *kernel, static_cast<size_t>(threads), shared));
  return cudaSuccess;
}

size_t threads_of(const LaunchConfig& config) { return size_t{config.block.x} * config.block.y * config.block.z; }

}  // namespace

extern "C" {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t shared) {
  OFFGRID_API_CALL("OccupancyMaxActiveBlocksPerMultiprocessor");
  return active_blocks(api, blocks, function, threads, shared);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   size_t shared, unsigned int flags) {
  OFFGRID_API_CALL("OccupancyMaxActiveBlocksPerMultiprocessorWithFlags");
  if (flags > cudaOccupancyDisableCachingOverride) return api.done(cudaErrorInvalidValue);
  return active_blocks(api, blocks, function, threads, shared);
}

/// The dynamic shared memory that each of `blocks` resident blocks may have.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int threads) {
  OFFGRID_API_CALL("OccupancyAvailableDynamicSMemPerBlock");
  if (bytes == nullptr || blocks <= 0 || threads <= 0) return api.done(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const KernelDescriptor* kernel = kernel_of(api, function, &error);
  if (kernel == nullptr) return error;
  const DeviceProfile& profile = active_profile();
  const size_t share = profile.shared_per_multiprocessor / static_cast<size_t>(blocks);
  const size_t taken = kernel->static_shared + profile.shared_reserved_per_block;
  *bytes = std::min(share - std::min(share, taken), dynamic_shared_limit(profile, *kernel));
  return cudaSuccess;
}

/// Clusters that can be resident at once. The configuration says how large they are, unless the kernel does.
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function, const cudaLaunchConfig_t* config) {
  OFFGRID_API_CALL("OccupancyMaxActiveClusters");
  LaunchConfig ours;
  cudaError_t error = clusters == nullptr ? api.done(cudaErrorInvalidValue) : config_of(api, config, &ours);
  if (error != cudaSuccess) return error;
  const KernelDescriptor* kernel = kernel_of(api, function, &error);
  if (kernel == nullptr) return error;
  const bool is_said = ours.cluster.x != 0 || kernel->cluster[0] != 0;
  const dim3 cluster = cluster_of(*kernel, ours);
  const bool agrees = ours.cluster.x == 0 || kernel->cluster[0] == 0 ||
                      (ours.cluster.x == cluster.x && ours.cluster.y == cluster.y && ours.cluster.z == cluster.z);
  const size_t blocks = size_t{cluster.x} * cluster.y * cluster.z;
  if (!is_said || !agrees || blocks == 0 || blocks > max_cluster_blocks(active_profile(), *kernel)) {
    return api.done(cudaErrorInvalidClusterSize);
  }
  *clusters =
      static_cast<int>(resident_clusters(active_profile(), *kernel, threads_of(ours), ours.dynamic_shared, blocks));
  return cudaSuccess;
}

/// The largest cluster that a launch may ask for.
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function, const cudaLaunchConfig_t* config) {
  OFFGRID_API_CALL("OccupancyMaxPotentialClusterSize");
  LaunchConfig ours;
  cudaError_t error = blocks == nullptr ? api.done(cudaErrorInvalidValue) : config_of(api, config, &ours);
  if (error != cudaSuccess) return error;
  const KernelDescriptor* kernel = kernel_of(api, function, &error);
  if (kernel == nullptr) return error;
  unsigned size = max_cluster_blocks(active_profile(), *kernel);
  if (kernel->cluster[0] != 0) size = kernel->cluster[0] * kernel->cluster[1] * kernel->cluster[2];
  while (size > 0 && resident_clusters(active_profile(), *kernel, threads_of(ours), ours.dynamic_shared, size) == 0)
    --size;
  *blocks = static_cast<int>(size);
  return cudaSuccess;
}

}  // extern "C"

namespace offgrid::emu::host {

cudaError_t best_block_size(int* min_grid, int* block, const void* function,
                            size_t (*shared_of)(const void* context, int threads), const void* context, int limit) {
  OFFGRID_API_CALL("OccupancyMaxPotentialBlockSize");
  if (min_grid == nullptr || block == nullptr || limit < 0) return api.done(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const KernelDescriptor* kernel = kernel_of(api, function, &error);
  if (kernel == nullptr) return error;
  const DeviceProfile& profile = active_profile();
  int largest = static_cast<int>(profile.max_threads_per_block);
  if (kernel->max_threads > 0) largest = std::min(largest, kernel->max_threads);
  if (limit > 0) largest = std::min(largest, limit);
  const int warp = static_cast<int>(profile.warp_size);
  int best_threads = 0, best_blocks = 0;
  for (int rounded = (largest + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
    const int threads = std::min(rounded, largest);
    const int blocks =
        static_cast<int>(resident_blocks(profile, *kernel, static_cast<size_t>(threads), shared_of(context, threads)));
    if (blocks * threads <= best_blocks * best_threads) continue;
    best_threads = threads;
    best_blocks = blocks;
  }
  *block = best_threads;
  *min_grid = best_blocks * static_cast<int>(profile.multiprocessors);
  return cudaSuccess;
}

}  // namespace offgrid::emu::host
