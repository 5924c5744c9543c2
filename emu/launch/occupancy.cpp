// Resident blocks are the least of four limits: blocks, threads (in whole warps), shared memory, registers.
#include "launch/occupancy.h"

#include <algorithm>

namespace offgrid::emu {
namespace {

constexpr unsigned kUsualRegisters = 32;
constexpr std::size_t kSharedGranularity = 128;
constexpr unsigned kPortableClusterBlocks = 8;
// Multiprocessors of a group. Devices are sold with some switched off, in pairs: those beyond whole groups of this size
// belong to the first groups.
constexpr unsigned kGroupMultiprocessors = 16;

std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

}  // namespace

unsigned assumed_registers(const DeviceProfile& profile, const KernelDescriptor& kernel) {
  if (kernel.max_threads <= 0) return kUsualRegisters;
  const unsigned threads = static_cast<unsigned>(kernel.max_threads) * std::max(1, kernel.min_blocks);
  return std::clamp(profile.registers_per_multiprocessor / threads, 1u, kUsualRegisters);
}

std::size_t dynamic_shared_limit(const DeviceProfile& profile, const KernelDescriptor& kernel) {
  if (kernel.max_dynamic_shared != 0) return kernel.max_dynamic_shared;
  return profile.shared_per_block - std::min(profile.shared_per_block, kernel.static_shared);
}

unsigned resident_blocks(const DeviceProfile& profile, const KernelDescriptor& kernel, std::size_t threads,
                         std::size_t dynamic_shared) {
  if (threads == 0 || threads > profile.max_threads_per_block) return 0;
  if (dynamic_shared > dynamic_shared_limit(profile, kernel)) return 0;
  const std::size_t whole_warps = round_up(threads, profile.warp_size);
  const std::size_t shared =
      round_up(kernel.static_shared + dynamic_shared + profile.shared_reserved_per_block, kSharedGranularity);
  const std::size_t registers = whole_warps * assumed_registers(profile, kernel);
  std::size_t blocks = profile.max_blocks_per_multiprocessor;
  blocks = std::min(blocks, profile.max_threads_per_multiprocessor / whole_warps);
  blocks = std::min(blocks, profile.registers_per_multiprocessor / registers);
  if (shared != 0) blocks = std::min(blocks, profile.shared_per_multiprocessor / shared);
  return static_cast<unsigned>(blocks);
}

unsigned max_cluster_blocks(const DeviceProfile& profile, const KernelDescriptor& kernel) {
  return kernel.non_portable_cluster ? profile.max_cluster_blocks
                                     : std::min(profile.max_cluster_blocks, kPortableClusterBlocks);
}

unsigned resident_clusters(const DeviceProfile& profile, const KernelDescriptor& kernel, std::size_t threads,
                           std::size_t dynamic_shared, std::size_t cluster_blocks) {
  if (cluster_blocks == 0 || cluster_blocks > max_cluster_blocks(profile, kernel)) return 0;
  const unsigned per_multiprocessor = resident_blocks(profile, kernel, threads, dynamic_shared);
  const unsigned groups = std::max(1u, profile.multiprocessors / kGroupMultiprocessors);
  const unsigned pairs =
      (profile.multiprocessors - std::min(profile.multiprocessors, groups * kGroupMultiprocessors)) / 2;
  std::size_t clusters = 0;
  for (unsigned g = 0; g < groups; ++g) {
    const unsigned multiprocessors = kGroupMultiprocessors + 2 * (pairs / groups + (g < pairs % groups));
    clusters += multiprocessors * per_multiprocessor / cluster_blocks;
  }
  return static_cast<unsigned>(clusters);
}

}  // namespace offgrid::emu
