// The checks as the engine and device memory see them: blocks come and go, barriers order, the host copies.
#include "engine/observer.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "check/arguments.h"
#include "check/book.h"
#include "check/cluster.h"
#include "check/context.h"
#include "check/float_sum.h"
#include "check/history.h"
#include "check/metadata.h"
#include "check/numerics/nan_report.h"
#include "check/race.h"
#include "check/read_too_early.h"
#include "check/records.h"
#include "check/regions.h"
#include "check/start.h"
#include "check/stream_race.h"
#include "check/sync.h"
#include "check/undefined.h"

namespace offgrid::emu::check {
namespace {

class Checks final : public Observer {
 public:
  void launch_begins(LaunchState& launch) override {
    forget_arenas();
    forget_early_reads();
    launch_floor_ = begin_history(launch);
    for (const auto& [begin, bytes] : host_visible_) define_host_stores(begin, bytes);
  }

  void launch_ends(LaunchState& launch) override {
    settle_writes();
    check_float_sums(launch);
    check_arguments(launch);
    book().flush();
    end_issued(history().now());
    check_copies_before(launch);
    nan_check_host_visible();
  }

  void block_begins(ResidentBlock& block) override {
    BlockChecks& checks = checks_for(block);
    checks.serial = new_block(block);
    checks.phase = 0;
    checks.own_shared.clear();
    checks.shared = &checks.own_shared;
    checks.shared_floor = checks.peer_floor = kFirstCell;
    checks.cluster = nullptr;
    checks.is_visited = false;
    checks.last_visit = 0;
    checks.global_floor = std::max(kFirstCell, launch_floor_);
    begin_alone(checks);
    checks.barrier = {};
    checks.arriving_vote = checks.vote = {};
    checks.forget_segments();
    checks.acquired.logs.clear();
    checks.fenced_before_barrier.clear();
    checks.damaged = false;
    for (auto& warp : checks.warps) begin_warp(*warp);
    for (const auto& placed : block.launch->layout) fresh_shared(block.shared + placed.offset, placed.variable->bytes);
    fresh_shared(block.dynamic_shared, block.launch->dynamic_shared);
  }

  void block_ends(ResidentBlock& block) override {
    settle_writes();
    if (record(block).cluster) cluster_leaves(record(block));
    std::erase(running_, &record(block));
    free_records_.push_back(&record(block));
    block.checks = nullptr;
  }

  void shared_placed(ResidentBlock&, const SharedVariable& variable, std::size_t offset) override {
    for (const BlockChecks* running : running_) fresh_shared(running->block->shared + offset, variable.bytes);
  }

  void block_barrier(ResidentBlock& block) override {
    settle_writes();
    BlockChecks& checks = record(block);
    checks.vote = std::exchange(checks.arriving_vote, {});
    order_block(checks);
    if (checks.cluster) share_in_cluster(checks);
  }

  void warp_barrier(Warp& warp, LaneMask participants) override {
    settle_writes();
    WarpChecks& checks = checks_of(*warp.lanes);
    ++checks.generation;
    ++checks.interval;
    if ((participants & warp.live) == warp.live) {
      checks.full_interval = checks.interval;
      checks.known.reset();
    } else {
      order_part(checks, participants);
    }
    share_knowledge(checks, participants);
    if (checks.block->cluster) share_in_cluster(checks, participants);
  }

  // Who takes part is not followed: all lanes of the block count as ordered.
  void named_barrier(ResidentBlock& block) override { block_barrier(block); }

  void grid_barrier(ResidentBlock& block) override {
    BlockChecks& checks = record(block);
    block_barrier(block);
    checks.global_floor = history().now();
    checks.peer_floor = checks.shared->now();
  }

  void cluster_begins(Cluster& cluster) override { check::cluster_begins(cluster); }
  void cluster_arrives(const Lane& lane, bool releases) override { check::cluster_arrives(lane, releases); }
  void cluster_waits(const Lane& lane) override { check::cluster_waits(lane); }
  void cluster_phase_ends(Cluster& cluster) override { check::cluster_phase_ends(cluster); }
  void cluster_lane_exits(const Lane& lane) override { check::cluster_lane_exits(lane); }
  void cluster_block_exits(ResidentBlock& block) override { check_exit(block); }

  void fence(Lane& lane, AtomicScope scope) override { note_fence(lane, scope); }

  Marked argument(unsigned n) override { return {argument_shadow(n), argument_origin(n)}; }
  void set_result(const Marked& mark) override { check::set_result(mark.shadow, mark.origin); }
  void wrote(const void* begin, std::size_t bytes) override { mark_defined(begin, bytes); }
  void wrote_value(const void* begin, const Marked& mark) override { mark_value(begin, mark.shadow, mark.origin); }
  void lane_starts(Lane&) override { clear_arguments(); }

  void allocated(const Allocation& a) override {
    region_added(a.begin, a.bytes);
    if (a.kind != MemoryKind::kDevice) host_visible_[a.begin] = a.bytes;
    mark_undefined(reinterpret_cast<const void*>(a.begin), a.bytes);
  }
  void freed(const Allocation& a) override {
    region_removed(a.begin);
    host_visible_.erase(a.begin);
    forget_output(a.begin);
    forget(reinterpret_cast<const void*>(a.begin), a.bytes);
  }
  void host_wrote(const void* begin, std::size_t bytes, int, std::uintptr_t) override { mark_defined(begin, bytes); }
  void host_reads(const void* begin, std::size_t bytes, int, std::uintptr_t pc) override {
    check_copied_out(begin, bytes, pc);
    check_holes(begin, bytes, pc);
    nan_check_copied_out(begin, bytes);
    book().flush();
  }
  void copied(void* to, const void* from, std::size_t bytes, int, std::uintptr_t) override {
    copy_marks(to, from, bytes);
  }

 private:
  /// As long as one block runs by itself, new segments of the global count are its own.
  void begin_alone(BlockChecks& checks) {
    for (BlockChecks* other : running_) other->own_floor = ~Cell{0};
    checks.own_floor = running_.empty() ? history().now() : ~Cell{0};
    for (BlockChecks* other : running_) {
      for (auto& warp : other->warps) ++warp->generation;
    }
    running_.push_back(&checks);
  }

  static BlockChecks& record(ResidentBlock& block) { return *static_cast<BlockChecks*>(block.checks); }

  /// The record of a resident block, in the shape that it has now.
  BlockChecks& checks_for(ResidentBlock& block) {
    if (!block.checks) {
      if (free_records_.empty()) {
        records_.push_back(std::make_unique<BlockChecks>());
        free_records_.push_back(records_.back().get());
      }
      block.checks = free_records_.back();
      free_records_.pop_back();
      arena_added(block);
    }
    BlockChecks& checks = record(block);
    checks.block = &block;
    while (checks.warps.size() < block.warp_count) checks.warps.push_back(std::make_unique<WarpChecks>());
    for (unsigned w = 0; w < block.warp_count; ++w) {
      WarpChecks& warp = *checks.warps[w];
      warp.block = &checks;
      warp.warp = &block.warps[w];
      warp.index = static_cast<std::uint8_t>(w);
      warp.lane_mask = static_cast<Cell>(block.warp_size) - 1;
      warp.first_thread = static_cast<Cell>(w) * static_cast<Cell>(block.warp_size);
    }
    for (unsigned t = 0; t < block.size; ++t) {
      block.lanes[t].checks = checks.warps[block.lanes[t].warp->index].get();
    }
    return checks;
  }

  static void begin_warp(WarpChecks& warp) {
    ++warp.generation;
    warp.interval = warp.full_interval = 0;
    warp.known.reset();
    warp.since = {};
    warp.open_locks = 0;
    for (TakenLock& lock : warp.locks) lock = {};
    warp.inside_atomic = false;
    if (warp.any_fenced) {
      std::fill(std::begin(warp.fenced), std::end(warp.fenced), Moment{});
      std::fill(std::begin(warp.cluster_fenced), std::end(warp.cluster_fenced), Moment{});
      std::fill(std::begin(warp.block_fenced), std::end(warp.block_fenced), Moment{});
    }
    if (warp.any_acquired) {
      for (Knowledge& knowledge : warp.acquired) knowledge.logs.clear();
    }
    warp.any_fenced = warp.any_acquired = false;
  }

  static void fresh_shared(const void* begin, std::size_t bytes) {
    if (bytes == 0) return;
    mark_undefined(begin, bytes);
    forget_accesses(begin, bytes);
  }

  /// A barrier of some lanes: each knows what any of them knew, and what they did.
  static void order_part(WarpChecks& checks, LaneMask participants) {
    if (!checks.known) {
      checks.known = std::make_unique<std::uint32_t[][kMaxWarpLanes]>(kMaxWarpLanes);
    }
    for (unsigned b = 0; b < kMaxWarpLanes; ++b) {
      std::uint32_t best = participants >> b & 1 ? checks.interval : 0;
      for (LaneMask rest = participants; rest; rest &= rest - 1) {
        best = std::max(best, checks.known[__builtin_ctzll(rest)][b]);
      }
      for (LaneMask rest = participants; rest; rest &= rest - 1) checks.known[__builtin_ctzll(rest)][b] = best;
    }
  }

  static void share_knowledge(WarpChecks& checks, LaneMask participants) {
    if (!checks.any_acquired) return;
    Knowledge all;
    for (LaneMask rest = participants; rest; rest &= rest - 1) all.merge(checks.acquired[__builtin_ctzll(rest)]);
    for (LaneMask rest = participants; rest; rest &= rest - 1) checks.acquired[__builtin_ctzll(rest)] = all;
  }

  Time launch_floor_ = kFirstCell;
  std::vector<BlockChecks*> running_;
  std::map<std::uintptr_t, std::size_t> host_visible_;  ///< allocations that the host's own code may store to
  std::vector<std::unique_ptr<BlockChecks>> records_;
  std::vector<BlockChecks*> free_records_;
};

}  // namespace

void start() {
  static const bool started = [] {
    reserve_metadata();
    static Checks checks;
    observer = &checks;
    return true;
  }();
  (void)started;
}

}  // namespace offgrid::emu::check

extern "C" void offgrid_start_checks() { offgrid::emu::check::start(); }
