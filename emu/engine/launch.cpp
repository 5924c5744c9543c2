// From a kernel call to its run: entry of kernel functions, validation, the trace, errors.
#include <offgrid/emu/engine/trap.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "engine/exploration.h"
#include "engine/observer.h"
#include "engine/state.h"
#include "launch/validate.h"
#include "memory/window.h"

namespace offgrid::emu {

Observer* observer = nullptr;

namespace {

std::mutex launch_mutex;  // one launch runs at a time

struct Records {
  std::mutex mutex;
  bool tracing = false;
  std::vector<LaunchRecord> trace;
  std::uint64_t launches = 0;
  std::unordered_map<void*, int> streams;
  LaunchError last_error = LaunchError::kNone;
};
Records& records() {
  static auto* r = new Records;  // used until the very end of the process
  return *r;
}

SubmitFunction submit_function = nullptr;

void fill(LaunchState& launch, const KernelCall& call, std::uint64_t number) {
  static std::atomic<std::uint32_t> tags{0};
  const LaunchConfig& config = call.config;
  launch.call = &call;
  launch.kernel = call.kernel;
  launch.closure = call.closure.get();
  launch.lane_fn = call.kernel->lane_fn;
  launch.profile = &active_profile();
  launch.number = number;
  do launch.tag = tags.fetch_add(1) + 1;
  while (launch.tag == 0);
  launch.stream = stream_number(config.stream);
  const unsigned grid[3] = {config.grid.x, config.grid.y, config.grid.z};
  const unsigned dim[3] = {config.block.x, config.block.y, config.block.z};
  std::copy(grid, grid + 3, launch.grid);
  std::copy(dim, dim + 3, launch.dim);
  launch.total_blocks = std::uint64_t{grid[0]} * grid[1] * grid[2];
  launch.dynamic_shared = config.dynamic_shared;
  const dim3 blocks = cluster_of(*call.kernel, config);
  const unsigned cluster[3] = {blocks.x, blocks.y, blocks.z};
  std::copy(cluster, cluster + 3, launch.cluster);
  launch.cluster_blocks = cluster[0] * cluster[1] * cluster[2];
  launch.has_clusters = call.kernel->cluster[0] != 0 || config.cluster.x != 0;

  const unsigned threads = std::max(1u, dim[0] * dim[1] * dim[2]);  // validated later
  // A launch of a few lanes is over before another thread has woken up.
  const bool worth_waking =
      !observer && !exploration && launch.total_blocks > 1 && launch.total_blocks * threads >= 2048;
  launch.workers =
      worth_waking ? static_cast<unsigned>(std::min<std::uint64_t>(engine_settings().workers, launch.total_blocks)) : 1;
  const std::uint64_t per_multiprocessor =
      std::max(1u, std::min(launch.profile->max_blocks_per_multiprocessor,
                            launch.profile->max_threads_per_multiprocessor / threads));
  const std::uint64_t on_device = per_multiprocessor * launch.profile->multiprocessors;
  launch.max_resident = static_cast<unsigned>(std::min(on_device, launch.total_blocks));
}

void record(const LaunchState& launch, LaunchError error) {
  Records& r = records();
  const std::lock_guard lock(r.mutex);
  if (error != LaunchError::kNone) r.last_error = error;
  if (!r.tracing) return;
  LaunchRecord line;
  line.number = launch.number;
  line.kernel = kernel_name(*launch.kernel);
  std::copy(launch.grid, launch.grid + 3, line.grid);
  std::copy(launch.dim, launch.dim + 3, line.block);
  line.dynamic_shared = launch.dynamic_shared;
  line.stream = launch.stream;
  line.error = error;
  r.trace.push_back(std::move(line));
}

[[noreturn]] void refuse_nested(SourceLine where) {
  lane_trap(FindingId::kUnsupported, "a kernel launches another kernel (dynamic parallelism)", where);
}

/// A kernel compiled against other headers: nothing but its name and number can be read.
LaunchError refuse_other_abi(const KernelCall& call) {
  Finding finding;
  finding.id = FindingId::kLaunchConfig;
  finding.place.kernel = kernel_name(*call.kernel);
  finding.headline = "kernel " + finding.place.kernel + " was compiled for version " +
                     std::to_string(call.kernel->abi) +
                     " of the emulator's kernel interface, the program has version " + std::to_string(kKernelAbi);
  finding.help = "compile its file again with this offgrid cc";
  finding_sink().add(std::move(finding));
  const std::lock_guard lock(records().mutex);
  return records().last_error = LaunchError::kNotSupported;
}

}  // namespace

LaunchError run_kernel(const KernelCall& call) {
  if (call.kernel->abi != kKernelAbi) return refuse_other_abi(call);
  if (offgrid_tls.lane) refuse_nested(call.config.where);
  const std::lock_guard lock(launch_mutex);
  install_fault_handlers();
  start_checks();
  std::uint64_t number = 0;
  {
    Records& r = records();
    const std::lock_guard records_lock(r.mutex);
    number = ++r.launches;
  }
  LaunchState launch;
  fill(launch, call, number);
  if (auto refusal = validate_launch(*launch.profile, *call.kernel, call.config)) {
    refusal->finding.place = place_of(launch);
    finding_sink().add(std::move(refusal->finding));
    record(launch, refusal->error);
    return refusal->error;
  }
  if (observer) observer->launch_begins(launch);
  run_on_workers(launch);
  if (observer) observer->launch_ends(launch);
  const LaunchError error = launch.error.load();
  record(launch, error);
  return error;
}

void check_static_shared(LaunchState& launch, const SharedVariable& variable, std::size_t offset) {
  constexpr std::size_t kStaticLimit = 48 * 1024;  // what a kernel may declare without opting in
  const std::size_t limit = launch.profile->vendor == Vendor::kAmd ? launch.profile->shared_per_block : kStaticLimit;
  const bool too_large = launch.static_bytes > limit || offset + variable.bytes > SharedArena::kStatic;
  const std::size_t in_all = launch.static_bytes + launch.dynamic_shared;
  if (!too_large && in_all <= launch.profile->shared_per_block_optin) return;
  Finding finding;
  finding.id = FindingId::kLaunchConfig;
  finding.place = place_of(launch);
  finding.headline = too_large
                         ? "the kernel declares " + std::to_string(launch.static_bytes) +
                               " bytes of static shared memory, the limit is " + std::to_string(limit)
                         : std::to_string(launch.static_bytes) + " static + " + std::to_string(launch.dynamic_shared) +
                               " dynamic bytes of shared memory, the limit is " +
                               std::to_string(launch.profile->shared_per_block_optin);
  finding.sites.push_back({"declared", variable.where, 0, "`" + std::string(variable.name) + "`"});
  finding.notes.push_back("limit: shared memory per block, device profile " + std::string(launch.profile->name));
  finding_sink().add(std::move(finding));
  launch.fail(LaunchError::kInvalidValue);
  return_to_worker(Return::kAborted);
}

void configure_launch(SourceLine where, dim3 grid, dim3 block, std::size_t dynamic_shared, void* stream) {
  if (offgrid_tls.lane)
    refuse_nested(where);  // before the call makes its copy of the arguments, which nobody would free
  detail::PendingEntry& pending = detail::pending_entry();
  pending.mode = detail::PendingEntry::Mode::kLaunch;
  pending.config = {grid, block, dynamic_shared, stream, false, where};
}

SubmitFunction set_submit(SubmitFunction function) { return std::exchange(submit_function, function); }

LaunchError submit_kernel(KernelCall call) {
  return submit_function ? submit_function(std::move(call)) : run_kernel(call);
}

void set_launch_trace(bool on) {
  const std::lock_guard lock(records().mutex);
  records().tracing = on;
  records().trace.clear();
}

std::vector<LaunchRecord> launch_trace() {
  const std::lock_guard lock(records().mutex);
  return records().trace;
}

int stream_number(void* stream) {
  if (!stream) return 0;
  const std::lock_guard lock(records().mutex);
  auto& streams = records().streams;
  return streams.try_emplace(stream, static_cast<int>(streams.size()) + 1).first->second;
}

LaunchError take_launch_error() {
  const std::lock_guard lock(records().mutex);
  return std::exchange(records().last_error, LaunchError::kNone);
}

LaunchError peek_launch_error() {
  const std::lock_guard lock(records().mutex);
  return records().last_error;
}

}  // namespace offgrid::emu
