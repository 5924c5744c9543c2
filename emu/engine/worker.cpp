// What one worker does in a launch: takes blocks, runs them, keeps those that wait resident, and notices when nothing
// can go on.
#include <sched.h>

#include <algorithm>

#include "engine/exploration.h"
#include "engine/observer.h"
#include "engine/state.h"
#include "memory/window.h"

namespace offgrid::emu {
namespace {

constexpr std::size_t kRedZone = 64;
// In a checked program a stray index should meet no other variable: the zones are as wide as the arena has room for.
constexpr std::size_t kCheckedZones[] = {8192, 1024, kRedZone};

std::size_t red_zone_after(std::size_t end) {
  if (!is_checked_program()) return kRedZone;
  return kCheckedZones[end < SharedArena::kStatic / 2 ? 0 : end < SharedArena::kStatic * 7 / 8 ? 1 : 2];
}
constexpr std::size_t kKeptBlocks = 4;  // idle block records a worker keeps for the next launch

// The red zones behind the static variables still hold 0xFF, unless somebody wrote past an array's end.
void check_red_zones(ResidentBlock& block) {
  LaunchState& launch = *block.launch;
  const std::lock_guard lock(launch.layout_mutex);
  const std::size_t end = launch.layout_end.load();
  for (std::size_t i = 0; i < launch.layout.size(); ++i) {
    const SharedVariable& variable = *launch.layout[i].variable;
    const std::size_t from = launch.layout[i].offset + variable.bytes;
    const std::size_t to = i + 1 < launch.layout.size() ? launch.layout[i + 1].offset : end;
    const unsigned char* base = block.arena.statics();
    const unsigned char* hit = std::find_if(base + from, base + to, [](unsigned char c) { return c != 0xFF; });
    if (hit == base + to) continue;
    Finding finding;
    finding.id = FindingId::kSharedOverflow;
    finding.headline = "`" + std::string(variable.name) + "` in shared memory was written past its end";
    finding.sites.push_back({"declared", variable.where, 0, ""});
    finding.notes.push_back(std::string(variable.name) + " has " + std::to_string(variable.bytes) + " bytes; byte " +
                            std::to_string(hit - base - static_cast<std::ptrdiff_t>(launch.layout[i].offset)) +
                            " was changed, seen at the end of the block");
    finding.place = place_of(launch);
    finding.place.block = {block.index[0], block.index[1], block.index[2]};
    finding.place.has_block = true;
    finding_sink().add(std::move(finding));
    launch.fail(LaunchError::kIllegalAddress);
    return;
  }
}

void poison_shared(ResidentBlock& block) {
  const std::size_t bytes = block.launch->layout_end.load(std::memory_order_relaxed);
  if (bytes == 0) return;
  if (!observer) check_red_zones(block);  // the checks see the accesses themselves
  block.arena.poison_statics(bytes);
}

void finish_block(ResidentBlock& block) {
  if (observer) observer->block_ends(block);
  poison_shared(block);
}

void report_no_memory(LaunchState& launch, std::size_t resident_blocks) {
  Finding finding;
  finding.id = FindingId::kLaunchConfig;
  finding.headline = "the machine has no memory for the shared memory of another resident block";
  finding.notes.push_back(std::to_string(resident_blocks) + " blocks are resident on this worker");
  finding.help = "a smaller cooperative grid";
  finding.place = place_of(launch);
  finding_sink().add(std::move(finding));
  launch.fail(LaunchError::kOutOfResources);
}

// A block record that fits the launch; null if there is no memory.
std::unique_ptr<ResidentBlock> take_record(Worker& worker, LaunchState& launch) {
  std::unique_ptr<ResidentBlock> block;
  if (worker.idle_blocks.empty()) {
    block = std::make_unique<ResidentBlock>();
  } else {
    block = std::move(worker.idle_blocks.back());
    worker.idle_blocks.pop_back();
  }
  if (bind_block(*block, worker, launch)) return block;
  report_no_memory(launch, worker.blocks.size());
  return nullptr;
}

// Takes the blocks of the next cluster into residence. False if there is none, or no room.
bool admit_cluster(Worker& worker, LaunchState& launch) {
  const bool has_room = worker.blocks.empty() || worker.blocks.size() + launch.cluster_blocks <= launch.max_resident;
  if (!has_room || launch.next_block.load(std::memory_order_relaxed) >= launch.total_blocks) return false;
  std::vector<std::unique_ptr<ResidentBlock>> records;
  while (records.size() < launch.cluster_blocks) {
    records.push_back(take_record(worker, launch));
    if (!records.back()) return false;
  }
  const std::uint64_t first = launch.next_block.fetch_add(launch.cluster_blocks);
  if (first >= launch.total_blocks) {
    for (auto& record : records) worker.idle_blocks.push_back(std::move(record));
    return false;
  }
  std::vector<ResidentBlock*> blocks;
  for (unsigned rank = 0; rank < records.size(); ++rank) {
    begin_block(*records[rank], block_in_cluster(launch, first / launch.cluster_blocks, rank));
    if (observer) observer->block_begins(*records[rank]);
    blocks.push_back(records[rank].get());
    worker.blocks.push_back(std::move(records[rank]));
  }
  join_cluster(launch.cluster, blocks);
  return true;
}

// Takes the next block of the grid into residence. Null if there is none, or no room.
ResidentBlock* admit_block(Worker& worker, LaunchState& launch) {
  if (worker.blocks.size() >= launch.max_resident) return nullptr;
  if (launch.next_block.load(std::memory_order_relaxed) >= launch.total_blocks) return nullptr;
  std::unique_ptr<ResidentBlock> block = take_record(worker, launch);
  if (!block) return nullptr;
  const std::uint64_t index = launch.next_block.fetch_add(1);
  if (index >= launch.total_blocks) {
    worker.idle_blocks.push_back(std::move(block));
    return nullptr;
  }
  begin_block(*block, index);
  if (observer) observer->block_begins(*block);
  worker.blocks.push_back(std::move(block));
  return worker.blocks.back().get();
}

void release_record(Worker& worker, const ResidentBlock& block) {
  const auto place =
      std::find_if(worker.blocks.begin(), worker.blocks.end(), [&](const auto& b) { return b.get() == &block; });
  worker.idle_blocks.push_back(std::move(*place));
  worker.blocks.erase(place);
}

void report_stuck_launch(LaunchState& launch, ResidentBlock& block) {
  report_stuck(block);
  launch.fail(LaunchError::kTimeout);
}

// The block has run to its end, and others of its cluster may not have: it stays, with poison in its shared memory.
void retire_from_cluster(Worker& worker, LaunchState& launch, ResidentBlock& block) {
  const std::shared_ptr<Cluster> cluster = block.cluster;
  block.cluster_done = true;
  if (observer) observer->cluster_block_exits(block);
  if (++cluster->done == cluster->blocks.size()) {
    for (ResidentBlock* member : cluster->blocks) {
      finish_block(*member);
      release_record(worker, *member);
    }
    return;
  }
  poison_shared(block);
  block.arena.poison_dynamic(launch.dynamic_shared);
  if (cluster_is_stuck(*cluster)) report_stuck_launch(launch, block);
}

// The block has run to its end.
void retire(Worker& worker, LaunchState& launch, ResidentBlock& block) {
  launch.blocks_done.fetch_add(1);
  if (exploration) exploration->forget(block);
  if (block.cluster) return retire_from_cluster(worker, launch, block);
  finish_block(block);
  release_record(worker, block);
}

// A fault ends only its block in a checked launch, with those of its cluster: the others may have findings of their
// own.
void give_up_block(Worker& worker, LaunchState& launch, ResidentBlock& lost) {
  launch.lost_a_block = true;
  const std::shared_ptr<Cluster> cluster = lost.cluster;  // which the blocks drop one by one
  for (ResidentBlock* block : cluster ? cluster->blocks : std::vector<ResidentBlock*>{&lost}) {
    if (!block->cluster_done) launch.blocks_done.fetch_add(1);
    if (exploration) exploration->forget(*block);
    abandon_block(worker, *block);
    observer->block_ends(*block);
    block->arena.poison_statics(launch.layout_end.load());
    release_record(worker, *block);
  }
}

bool waits_for_others(const ResidentBlock& block) {
  if (block.cluster_done || block.cluster_waiting) return true;
  return block.in_grid_barrier && block.launch->grid_phase.load() == block.grid_phase;
}

// Runs one resident block until it is done or cannot go on. True if it made progress.
bool run_resident(Worker& worker, LaunchState& launch, std::size_t at) {
  ResidentBlock& block = *worker.blocks[at];
  if (block.in_grid_barrier) release_grid_barrier(block);
  const std::uint64_t fruitless = block.fruitless_yields;
  switch (run_block(worker, block)) {
    case Return::kBlockDone:
      retire(worker, launch, block);
      return true;
    case Return::kNothingRunnable:
      if (launch.aborted) return true;
      block.cluster_waiting = block.cluster && waits_for_cluster(block);
      if (block.cluster_waiting ? cluster_is_stuck(*block.cluster) : !block.in_grid_barrier)
        report_stuck_launch(launch, block);
      if (block.in_grid_barrier && block.cluster && cluster_is_stuck(*block.cluster))
        report_stuck_launch(launch, block);
      return true;
    case Return::kSpinning:
      return block.fruitless_yields < fruitless;
    case Return::kFault:
      report_fault(worker);
      if (observer) give_up_block(worker, launch, block);
      return true;
    case Return::kAborted:
      return true;
  }
  return true;
}

// Nothing this worker holds can go on by itself. True if the launch can never end.
bool is_stuck(Worker& worker, LaunchState& launch) {
  const std::uint64_t done = launch.blocks_done.load();
  if (done > 0 && done + launch.grid_arrivals.load() == launch.total_blocks && launch.grid_arrivals.load() > 0) {
    if (launch.aborted.exchange(true)) return true;  // several workers see it
    const auto waits = [](const auto& block) { return block->in_grid_barrier; };
    const auto waiting = std::find_if(worker.blocks.begin(), worker.blocks.end(), waits);
    if (!launch.lost_a_block && waiting != worker.blocks.end()) report_stuck(**waiting);
    return true;
  }
  for (const auto& block : worker.blocks) {
    if (block->fruitless_yields > engine_settings().livelock_yields && launch.idle_workers.load() == launch.workers) {
      if (!launch.aborted.exchange(true) && !launch.lost_a_block) report_livelock(*block);
      return true;
    }
  }
  return false;
}

// Under a schedule policy all resident blocks run together, as the policy says.
constexpr std::size_t kExploredBlocks = 8;  // resident from the start, if they are not too large
constexpr std::size_t kExploredLanes = 2048;

bool has_blocks_left(const LaunchState& launch) { return launch.next_block.load() < launch.total_blocks; }

void admit_explored(Worker& worker, LaunchState& launch, std::size_t limit) {
  while (worker.blocks.size() < limit && has_blocks_left(launch) && !launch.aborted.load()) {
    const std::size_t before = worker.blocks.size();
    const bool came =
        launch.cluster_blocks == 1 ? admit_block(worker, launch) != nullptr : admit_cluster(worker, launch);
    if (!came) return;
    for (std::size_t i = before; i < worker.blocks.size(); ++i) exploration->admit(*worker.blocks[i]);
  }
}

// No lane of any block can run, and no further block would help.
void give_up_explored(Worker& worker, LaunchState& launch) {
  ResidentBlock* stuck = nullptr;
  for (const auto& block : worker.blocks) {
    block->cluster_waiting = block->cluster && waits_for_cluster(*block);
    if (block->live > 0 && (!stuck || (stuck->in_grid_barrier && !block->in_grid_barrier))) stuck = block.get();
  }
  if (stuck && !launch.lost_a_block) report_stuck(*stuck);
  launch.fail(LaunchError::kTimeout);
}

// A lane has come back to the worker, out of the block that the thread state names.
void after_explored_lane(Worker& worker, LaunchState& launch, Return reason, std::size_t& limit) {
  ResidentBlock& block = resident(offgrid_tls.block);
  if (reason == Return::kBlockDone) retire(worker, launch, block);
  if (reason == Return::kFault) {
    report_fault(worker);
    if (observer) give_up_block(worker, launch, block);
  }
  if (reason != Return::kSpinning) return;
  if (has_blocks_left(launch) && limit < launch.max_resident) {
    ++limit;  // it may wait for a block that is not here yet
  } else if (exploration->is_livelocked()) {
    report_livelock(block);
    launch.fail(LaunchError::kTimeout);
  }
}

void explore_launch(Worker& worker, LaunchState& launch) {
  const std::size_t threads = std::size_t{launch.dim[0]} * launch.dim[1] * launch.dim[2];
  std::size_t limit = std::clamp<std::size_t>(kExploredLanes / threads, 1, kExploredBlocks);
  if (launch.call->config.cooperative) limit = launch.max_resident;
  limit = std::min<std::size_t>(limit, launch.max_resident);
  exploration->launch_begins();
  while (!launch.aborted.load()) {
    admit_explored(worker, launch, std::max<std::size_t>(limit, launch.cluster_blocks));
    if (worker.blocks.empty()) return;
    for (const auto& block : worker.blocks) {
      if (block->in_grid_barrier && launch.grid_phase.load() != block->grid_phase) release_grid_barrier(*block);
    }
    exploration->expect_more_blocks(has_blocks_left(launch) && limit < launch.max_resident);
    if (Lane* lane = exploration->first()) {
      after_explored_lane(worker, launch, run_lane(worker, lane), limit);
    } else if (has_blocks_left(launch) && limit < launch.max_resident) {
      ++limit;
    } else if (!launch.aborted.load()) {
      give_up_explored(worker, launch);
    }
  }
}

}  // namespace

void work_on_launch(Worker& worker, LaunchState& launch) {
  worker.launch = &launch;
  offgrid_tls.worker = &worker;
  offgrid_tls.exclusive = launch.workers == 1;
  prepare_signal_stack(worker);
  adopt_thread(worker.main);

  bool idle = false;
  const auto set_idle = [&](bool now) {
    if (now != idle) now ? ++launch.idle_workers : --launch.idle_workers;
    idle = now;
  };
  if (exploration) explore_launch(worker, launch);
  while (!exploration && !launch.aborted.load(std::memory_order_relaxed)) {
    bool progress = false;
    for (std::size_t i = 0; i < worker.blocks.size() && !launch.aborted.load(std::memory_order_relaxed);) {
      if (waits_for_others(*worker.blocks[i])) {
        ++i;
        continue;
      }
      const ResidentBlock* block = worker.blocks[i].get();
      progress |= run_resident(worker, launch, i);
      if (i < worker.blocks.size() && worker.blocks[i].get() == block) ++i;
    }
    if (launch.cluster_blocks == 1) {
      progress |= admit_block(worker, launch) != nullptr;
    } else if (!progress || worker.blocks.empty()) {  // blocks that wait for each other are no reason for more of them
      progress |= admit_cluster(worker, launch);
    }
    if (worker.blocks.empty() && !progress) break;
    set_idle(!progress);
    if (progress) continue;
    if (is_stuck(worker, launch)) launch.fail(LaunchError::kTimeout);
    if (launch.workers > 1) sched_yield();
  }
  set_idle(true);

  for (auto& block : worker.blocks) {
    abandon_block(worker, *block);
    if (observer) observer->block_ends(*block);
    block->arena.poison_statics(launch.layout_end.load());
  }
  worker.blocks.clear();
  if (worker.idle_blocks.size() > kKeptBlocks) worker.idle_blocks.resize(kKeptBlocks);
  offgrid_tls.lane = nullptr;
  offgrid_tls.block = nullptr;
  offgrid_tls.worker = nullptr;
  offgrid_tls.exclusive = false;
  worker.launch = nullptr;
}

void* SharedVariable::place() {
  LaunchState& launch = *offgrid_tls.block->launch;
  const std::lock_guard lock(launch.layout_mutex);
  std::size_t offset = 0;
  const auto known = std::find_if(launch.layout.begin(), launch.layout.end(),
                                  [&](const LaunchState::Placed& p) { return p.variable == this; });
  if (known != launch.layout.end()) {
    offset = known->offset;
  } else {
    const std::size_t align = std::max<std::size_t>(alignment, 16);
    const std::size_t end = launch.layout.empty() && is_checked_program() ? kCheckedZones[0] : launch.layout_end.load();
    offset = (end + align - 1) / align * align;
    launch.static_bytes = (launch.static_bytes + alignment - 1) / alignment * alignment + bytes;
    check_static_shared(launch, *this, offset);
    launch.layout.push_back({this, offset});
    launch.layout_end.store(offset + bytes + red_zone_after(offset + bytes));
    launch.kernel->static_shared = std::max(launch.kernel->static_shared, launch.static_bytes);
    if (observer) observer->shared_placed(resident(offgrid_tls.block), *this, offset);
  }
  __atomic_store_n(&placed, std::uint64_t{launch.tag} << 32 | offset, __ATOMIC_RELAXED);
  return offgrid_tls.block->shared + offset;
}

}  // namespace offgrid::emu
