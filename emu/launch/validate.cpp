// One small function a rule; the first rule that a launch breaks is reported.
#include "launch/validate.h"

#include <algorithm>
#include <string>
#include <utility>

#include "launch/occupancy.h"

namespace offgrid::emu {
namespace {

using Text = std::string;

struct Launch {
  const DeviceProfile& profile;
  const KernelDescriptor& kernel;
  const LaunchConfig& config;

  std::uint64_t threads() const { return std::uint64_t{config.block.x} * config.block.y * config.block.z; }
  std::uint64_t blocks() const { return std::uint64_t{config.grid.x} * config.grid.y * config.grid.z; }
};

Text number(std::uint64_t n) { return std::to_string(n); }

Text triple(const dim3& d) { return "(" + number(d.x) + ", " + number(d.y) + ", " + number(d.z) + ")"; }

Text product(const dim3& d, std::uint64_t value) {
  return number(d.x) + " x " + number(d.y) + " x " + number(d.z) + " = " + number(value);
}

Text kib(std::size_t bytes) { return bytes % 1024 == 0 ? number(bytes / 1024) + " KiB" : number(bytes) + " bytes"; }

LaunchRefusal refuse(const Launch& l, LaunchError error, Text headline, Text limit, Text help) {
  const dim3 &grid = l.config.grid, &block = l.config.block;
  Finding f;
  f.id = FindingId::kLaunchConfig;
  f.headline = std::move(headline);
  f.sites.push_back({"launch", l.config.where, 0, ""});
  f.place.kernel = kernel_name(l.kernel);
  f.place.grid = {grid.x, grid.y, grid.z};
  f.place.block_dim = {block.x, block.y, block.z};
  f.notes.push_back("grid " + triple(grid) + "  block " + triple(block) + ": " + product(block, l.threads()));
  f.notes.push_back("limit: " + std::move(limit) + ", device profile " + Text(l.profile.name));
  f.help = std::move(help);
  return {error, std::move(f)};
}

using Refusal = std::optional<LaunchRefusal>;

/// The runtime's prefix in the spelling that the profile's users write.
Text api(const Launch& l) { return l.profile.vendor == Vendor::kAmd ? "hip" : "cuda"; }

bool has_zero(const dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; }

Refusal check_zero(const Launch& l) {
  const bool grid = has_zero(l.config.grid);
  if (!grid && !has_zero(l.config.block)) return {};
  return refuse(l, LaunchError::kInvalidConfiguration,
                grid ? "grid has a dimension of 0" : "block has a dimension of 0", "every dimension is at least 1",
                grid ? "skip the launch when there is nothing to do" : "a block has at least one thread");
}

/// A block of the same shape that fits: the largest dimension is cut, to whole warps if that is x.
Text smaller_block(const Launch& l) {
  dim3 b = l.config.block;
  unsigned* largest = std::max({&b.x, &b.y, &b.z}, [](const unsigned* p, const unsigned* q) { return *p < *q; });
  const std::uint64_t rest = l.threads() / *largest;
  if (rest > l.profile.max_threads_per_block) return "";
  *largest = static_cast<unsigned>(l.profile.max_threads_per_block / rest);
  const unsigned warp = l.profile.warp_size;
  if (b.x > warp) b.x -= b.x % warp;
  const std::uint64_t threads = std::uint64_t{b.x} * b.y * b.z;
  return "block " + triple(b) + " has " + number(threads) + " threads" +
         (threads % warp == 0 ? " and whole warps" : "");
}

Refusal check_block(const Launch& l) {
  const unsigned limit = l.profile.max_threads_per_block;
  if (l.threads() > limit) {
    return refuse(l, LaunchError::kInvalidConfiguration,
                  "block has " + number(l.threads()) + " threads, the limit is " + number(limit), "threads per block",
                  smaller_block(l));
  }
  const unsigned dims[3] = {l.config.block.x, l.config.block.y, l.config.block.z};
  for (int i = 0; i < 3; ++i) {
    if (dims[i] <= l.profile.max_block_dim[i]) continue;
    const char axis = "xyz"[i];
    return refuse(
        l, LaunchError::kInvalidConfiguration,
        Text("block.") + axis + " is " + number(dims[i]) + ", the limit is " + number(l.profile.max_block_dim[i]),
        Text("block dimension ") + axis, "move threads of this dimension to x");
  }
  return {};
}

Refusal check_grid(const Launch& l) {
  const unsigned dims[3] = {l.config.grid.x, l.config.grid.y, l.config.grid.z};
  const unsigned threads[3] = {l.config.block.x, l.config.block.y, l.config.block.z};
  for (int i = 0; i < 3; ++i) {
    const char axis = "xyz"[i];
    if (dims[i] > l.profile.max_grid_dim[i]) {
      return refuse(
          l, LaunchError::kInvalidConfiguration,
          Text("grid.") + axis + " is " + number(dims[i]) + ", the limit is " + number(l.profile.max_grid_dim[i]),
          Text("grid dimension ") + axis,
          i == 0 ? "let a block loop over several tiles" : "the largest dimension of a grid belongs into x");
    }
    const std::uint64_t total = std::uint64_t{dims[i]} * threads[i];
    if (l.profile.vendor == Vendor::kAmd && total >> 32 != 0) {
      return refuse(l, LaunchError::kInvalidConfiguration,
                    Text("grid.") + axis + " x block." + axis + " is " + number(total) + ", the limit is 4294967295",
                    Text("threads of a grid along ") + axis + ", 2^32 - 1", "let a thread loop over several elements");
    }
  }
  return {};
}

Refusal check_launch_bounds(const Launch& l) {
  const int bound = l.kernel.max_threads;
  if (bound <= 0 || l.threads() <= static_cast<std::uint64_t>(bound)) return {};
  return refuse(l, LaunchError::kOutOfResources,
                "block has " + number(l.threads()) + " threads, the kernel was declared for at most " +
                    number(static_cast<std::uint64_t>(bound)),
                "__launch_bounds__(" + number(static_cast<std::uint64_t>(bound)) + ") of the kernel",
                "launch at most " + number(static_cast<std::uint64_t>(bound)) + " threads, or raise the bound");
}

Refusal check_shared(const Launch& l) {
  const std::size_t dynamic = l.config.dynamic_shared;
  const std::size_t fixed = l.kernel.static_shared;
  const std::size_t optin = l.profile.shared_per_block_optin;
  const Text asked = "launch asks for " + kib(dynamic) + " of dynamic shared memory" +
                     (fixed != 0 ? " beside " + kib(fixed) + " of static" : "");
  if (dynamic > optin || fixed + dynamic > optin) {
    return refuse(l, LaunchError::kInvalidValue, asked + ", the device has " + kib(optin) + " a block",
                  "shared memory per block with opt-in", "use smaller tiles or fewer stages");
  }
  const std::size_t allowed = dynamic_shared_limit(l.profile, l.kernel);
  if (dynamic <= allowed) return {};
  const bool raised = l.kernel.max_dynamic_shared != 0;
  return refuse(l, LaunchError::kInvalidValue,
                asked + (raised ? ", the kernel opted in to " : ", without opt-in it gets ") + kib(allowed),
                raised ? "the kernel's own opt-in" : "shared memory per block without opt-in",
                api(l) + "FuncSetAttribute(kernel, " + api(l) + "FuncAttributeMaxDynamicSharedMemorySize, " +
                    number(dynamic) + ") before the launch");
}

Refusal check_cooperative_clusters(const Launch& l, std::uint64_t size) {
  const std::uint64_t clusters = resident_clusters(l.profile, l.kernel, l.threads(), l.config.dynamic_shared, size);
  if (l.blocks() <= clusters * size) return {};
  return refuse(
      l, LaunchError::kCooperativeTooLarge,
      "cooperative grid has " + number(l.blocks()) + " blocks, only " + number(clusters * size) + " can be resident",
      number(clusters) + " resident clusters x " + number(size) + " blocks",
      "size the grid with cudaOccupancyMaxActiveClusters and loop over the tiles");
}

Refusal check_cooperative(const Launch& l) {
  if (!l.config.cooperative) return {};
  const std::uint64_t per_multiprocessor = resident_blocks(l.profile, l.kernel, l.threads(), l.config.dynamic_shared);
  const std::uint64_t limit = per_multiprocessor * l.profile.multiprocessors;
  const dim3 cluster = cluster_of(l.kernel, l.config);
  if (const std::uint64_t size = std::uint64_t{cluster.x} * cluster.y * cluster.z; size > 1) {
    return check_cooperative_clusters(l, size);
  }
  if (l.blocks() <= limit) return {};
  return refuse(
      l, LaunchError::kCooperativeTooLarge,
      "cooperative grid has " + number(l.blocks()) + " blocks, only " + number(limit) + " can be resident",
      number(per_multiprocessor) + " resident blocks x " + number(l.profile.multiprocessors) + " multiprocessors",
      "size the grid with " + api(l) + "OccupancyMaxActiveBlocksPerMultiprocessor and loop over the tiles");
}

LaunchRefusal refuse_cluster(const Launch& l, Text headline, Text limit, Text help) {
  LaunchRefusal refusal =
      refuse(l, LaunchError::kInvalidClusterSize, std::move(headline), std::move(limit), std::move(help));
  refusal.finding.notes.insert(refusal.finding.notes.begin() + 1, "cluster " + triple(cluster_of(l.kernel, l.config)));
  return refusal;
}

/// Whether the launch and the kernel agree.
Refusal check_declared_cluster(const Launch& l) {
  const dim3 declared(l.kernel.cluster[0], l.kernel.cluster[1], l.kernel.cluster[2]);
  const dim3& asked = l.config.cluster;
  if (l.kernel.cluster_must_be_set && asked.x == 0) {
    return refuse_cluster(l, "the kernel must be launched with a cluster dimension", "__cluster_dims__() of the kernel",
                          "cudaLaunchKernelEx with cudaLaunchAttributeClusterDimension");
  }
  const bool differs = asked.x != declared.x || asked.y != declared.y || asked.z != declared.z;
  if (declared.x == 0 || asked.x == 0 || !differs) return {};
  return refuse_cluster(
      l, "the launch asks for clusters of " + triple(asked) + ", the kernel was declared for " + triple(declared),
      "__cluster_dims__ of the kernel", "leave the attribute out");
}

Refusal check_cluster_size(const Launch& l, const dim3& cluster, std::uint64_t blocks) {
  const Text size = "a cluster has " + product(cluster, blocks) + " blocks, ";
  if (l.kernel.max_cluster_blocks > 0 && blocks > static_cast<unsigned>(l.kernel.max_cluster_blocks)) {
    const Text bound = number(static_cast<unsigned>(l.kernel.max_cluster_blocks));
    return refuse_cluster(l, size + "the kernel was declared for at most " + bound,
                          "the third argument of the kernel's __launch_bounds__", "use smaller clusters");
  }
  const unsigned most = max_cluster_blocks(l.profile, l.kernel);
  if (blocks <= most) return {};
  const bool may_have_more = blocks <= l.profile.max_cluster_blocks;
  return refuse_cluster(
      l, size + "the limit is " + number(most), may_have_more ? "portable cluster size" : "blocks of a cluster",
      may_have_more
          ? "cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) before the launch"
          : "use smaller clusters");
}

Refusal check_cluster(const Launch& l) {
  if (Refusal refusal = check_declared_cluster(l)) return refusal;
  const dim3 cluster = cluster_of(l.kernel, l.config);
  const std::uint64_t blocks = std::uint64_t{cluster.x} * cluster.y * cluster.z;
  if (blocks == 1) return {};
  if (l.profile.max_cluster_blocks == 0) {
    return refuse_cluster(l, "the launch has clusters of " + triple(cluster) + " blocks, the device has no clusters",
                          "clusters exist from sm_90 on", "launch without clusters, or choose -arch sm_90");
  }
  if (blocks == 0) {
    return refuse_cluster(l, "a cluster has a dimension of 0", "all of a cluster's dimensions are set, or none",
                          "set the required width, height and depth together");
  }
  if (Refusal refusal = check_cluster_size(l, cluster, blocks)) return refusal;
  const dim3& grid = l.config.grid;
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    return refuse_cluster(l, "the grid " + triple(grid) + " is not made of whole clusters of " + triple(cluster),
                          "each dimension of the grid is a multiple of the cluster's",
                          "round the grid up and let the blocks behind its end only take part in barriers");
  }
  return {};
}

}  // namespace

dim3 cluster_of(const KernelDescriptor& kernel, const LaunchConfig& config) {
  if (kernel.cluster[0] == 0) return config.cluster.x == 0 ? dim3(1, 1, 1) : config.cluster;
  return {kernel.cluster[0], kernel.cluster[1], kernel.cluster[2]};
}

std::optional<LaunchRefusal> validate_launch(const DeviceProfile& profile, const KernelDescriptor& kernel,
                                             const LaunchConfig& config) {
  const Launch launch{profile, kernel, config};
  for (const auto check :
       {check_zero, check_block, check_grid, check_launch_bounds, check_shared, check_cluster, check_cooperative}) {
    if (Refusal refusal = check(launch)) return refusal;
  }
  return {};
}

}  // namespace offgrid::emu
