// Explains blocks that cannot go on, and barriers that were not taken together: who waits where, and who has left.
#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "engine/state.h"

namespace offgrid::emu {
namespace {

const char* operation_name(WarpOp op) {
  switch (op) {
    case WarpOp::kShuffle:
      return "a warp shuffle";
    case WarpOp::kVote:
      return "a warp vote";
    case WarpOp::kBarrier:
      return "a warp barrier";
    case WarpOp::kMatch:
      return "a warp match";
    case WarpOp::kReduce:
      return "a warp reduction";
    case WarpOp::kActiveMask:
      return "an active-mask query";
    case WarpOp::kNone:
      break;
  }
  return "a warp operation";
}

enum class State { kBlockBarrier, kNamedBarrier, kClusterBarrier, kGridBarrier, kWarpOperation, kRunnable, kExited };

struct Waiting {
  State state;
  WarpOp op;
  SourceLine where;
  LaneMask awaited;  // lanes of the warp that a warp operation waits for; the number of threads of a named barrier
  bool operator<(const Waiting& o) const {
    const auto key = [](const Waiting& w) {
      return std::make_tuple(w.state, std::string_view(w.where.file ? w.where.file : ""), w.where.line, w.op,
                             w.awaited);
    };
    return key(*this) < key(o);
  }
};

Waiting waiting_of(const Lane& lane) {
  const Warp& warp = *lane.warp;
  const LaneMask bit = LaneMask{1} << lane.index;
  if (!(warp.live & bit)) return {State::kExited, WarpOp::kNone, {}, 0};
  if (warp.at_barrier & bit) {
    return {State::kBlockBarrier, WarpOp::kNone,
            warp.block->barrier_sites_differ ? lane.site : warp.block->barrier_site, 0};
  }
  if (lane.wait == Wait::kNamedBarrier) {
    const NamedBarrier& barrier = resident(warp.block).named_barriers[lane.mask];
    return {State::kNamedBarrier, WarpOp::kNone, lane.site, barrier.expected};
  }
  if (lane.wait == Wait::kClusterBarrier) return {State::kClusterBarrier, WarpOp::kNone, lane.site, 0};
  if (lane.wait == Wait::kGridBarrier) return {State::kGridBarrier, WarpOp::kNone, lane.site, 0};
  if (warp.arrived & bit) return {State::kWarpOperation, warp.op, lane.site, warp.live};
  if (lane.group && !lane.group->done) return {State::kWarpOperation, lane.group->op, lane.site, lane.mask};
  return {State::kRunnable, WarpOp::kNone, {}, 0};
}

using WaitingLanes = std::map<Waiting, std::vector<unsigned>>;

WaitingLanes sort_lanes(const ResidentBlock& block) {
  WaitingLanes groups;
  for (unsigned t = 0; t < block.size; ++t) groups[waiting_of(block.lanes[t])].push_back(t);
  return groups;
}

std::string detail_of(const Waiting& waiting, const std::vector<unsigned>& threads) {
  std::string text = thread_ranges(threads);
  switch (waiting.state) {
    case State::kBlockBarrier:
      return text + " at a block barrier";
    case State::kNamedBarrier:
      return text + " at a barrier of " + std::to_string(waiting.awaited) + " threads";
    case State::kClusterBarrier:
      return text + " at the cluster barrier";
    case State::kGridBarrier:
      return text + " at the grid barrier";
    case State::kWarpOperation:
      return text + " at " + operation_name(waiting.op);
    case State::kRunnable:
    case State::kExited:
      break;
  }
  return text;
}

std::string returned(const std::vector<unsigned>& threads) {
  return thread_ranges(threads) + (threads.size() == 1 ? " has" : " have") + " returned from the kernel";
}

void add_sites(Finding& finding, const WaitingLanes& groups) {
  for (const auto& [waiting, threads] : groups) {
    if (waiting.state == State::kExited || waiting.state == State::kRunnable) {
      finding.notes.push_back(waiting.state == State::kExited ? returned(threads)
                                                              : thread_ranges(threads) + " could still run");
      continue;
    }
    finding.sites.push_back({"wait", waiting.where, 0, detail_of(waiting, threads)});
  }
}

LaunchPlace block_place(const ResidentBlock& block) {
  LaunchPlace place = place_of(*block.launch);
  place.block = {block.index[0], block.index[1], block.index[2]};
  place.has_block = true;
  return place;
}

std::string count(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

std::size_t count_state(const WaitingLanes& groups, State state) {
  std::size_t n = 0;
  for (const auto& [waiting, threads] : groups) n += waiting.state == state ? threads.size() : 0;
  return n;
}

constexpr const char* kAllMustArrive =
    "every thread of every block of a cluster that has not returned must take part in each of its barriers";

/// The first block of the cluster with a lane that keeps the others waiting; the block itself if it has no cluster.
const ResidentBlock& culprit_of(const ResidentBlock& block) {
  if (!block.cluster) return block;
  for (const ResidentBlock* member : block.cluster->blocks) {
    for (unsigned t = 0; t < member->size; ++t) {
      const bool is_live = waiting_of(member->lanes[t]).state != State::kExited;
      const bool has_arrived = member->cluster_lanes && member->cluster_lanes[t].phase > block.cluster->phase;
      if (is_live && !has_arrived) return *member;
    }
  }
  return block;
}

/// Where lanes of the other blocks of its cluster wait at the cluster's barrier.
std::vector<FindingSite> peers_at_cluster_barrier(const ResidentBlock& block) {
  struct Peers {
    std::size_t threads = 0, blocks = 0;
  };
  std::map<Waiting, Peers> lines;
  if (!block.cluster) return {};
  for (const ResidentBlock* member : block.cluster->blocks) {
    if (member == &block) continue;
    for (const auto& [waiting, threads] : sort_lanes(*member)) {
      if (waiting.state != State::kClusterBarrier) continue;
      lines[waiting].threads += threads.size();
      ++lines[waiting].blocks;
    }
  }
  std::vector<FindingSite> sites;
  for (const auto& [waiting, peers] : lines) {
    sites.push_back(
        {"wait", waiting.where, 0,
         count(peers.threads, "thread") + " of " + count(peers.blocks, "other block") + " at the cluster barrier"});
  }
  return sites;
}

// Lanes of one warp that wait at different warp operations, each needing a lane that waits at another.
bool is_collective_mismatch(const WaitingLanes& groups) {
  const auto ops =
      std::count_if(groups.begin(), groups.end(), [](const auto& g) { return g.first.state == State::kWarpOperation; });
  return ops > 1;
}

}  // namespace

std::string thread_ranges(const std::vector<unsigned>& threads) {
  if (threads.size() == 1) return "thread " + std::to_string(threads[0]);
  std::string text = "threads ";
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t end = i;
    while (end + 1 < threads.size() && threads[end + 1] == threads[end] + 1) ++end;
    if (i) text += ", ";
    text += std::to_string(threads[i]);
    if (end > i) text += (end == i + 1 ? ", " : "..") + std::to_string(threads[end]);
    i = end + 1;
  }
  return text;
}

LaunchPlace place_of(const LaunchState& launch) {
  LaunchPlace place;
  place.kernel = kernel_name(*launch.kernel);
  place.grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
  place.block_dim = {launch.dim[0], launch.dim[1], launch.dim[2]};
  place.launch_number = launch.number;
  place.stream = launch.stream;
  return place;
}

LaunchPlace place_of(const Lane& lane) {
  const ResidentBlock& block = resident(lane.warp->block);
  LaunchPlace place = block_place(block);
  place.thread = {lane.thread[0], lane.thread[1], lane.thread[2]};
  place.has_lane = true;
  place.warp = lane.warp->index;
  place.lane = lane.index;
  return place;
}

void report_stuck(ResidentBlock& stuck) {
  const ResidentBlock& block = culprit_of(stuck);
  const WaitingLanes groups = sort_lanes(block);
  const std::vector<FindingSite> peers = peers_at_cluster_barrier(block);
  const std::size_t at_barrier = count_state(groups, State::kBlockBarrier);
  const std::size_t at_grid = count_state(groups, State::kGridBarrier);
  const std::size_t at_warp = count_state(groups, State::kWarpOperation);
  const std::size_t at_named = count_state(groups, State::kNamedBarrier);
  const std::size_t at_cluster = count_state(groups, State::kClusterBarrier);
  Finding finding;
  finding.place = block_place(block);
  if (at_barrier > 0) {
    finding.id = FindingId::kBarrierDivergence;
    finding.headline = std::to_string(at_barrier) + " of " + count(block.size, "thread") +
                       " wait at a block barrier that " +
                       count(at_warp + at_grid + at_named + at_cluster, "other thread") + " cannot reach";
  } else if (at_named > 0) {
    finding.id = FindingId::kDeadlock;
    finding.headline =
        count(at_named, "thread") + " wait at a barrier of a part of the block, for threads that never come";
  } else if (at_cluster > 0 && at_warp == 0) {
    finding.id = FindingId::kDeadlock;
    finding.headline = "the cluster barrier can never complete: " + count(at_cluster, "thread") + " of block rank " +
                       std::to_string(block.cluster_rank) + " wait, and " + count(at_grid, "other thread") +
                       " neither arrive nor return";
    finding.help = kAllMustArrive;
  } else if (at_grid > 0 && at_warp == 0 && !peers.empty()) {
    finding.id = FindingId::kDeadlock;
    finding.headline = "the grid barrier can never complete: other blocks of the cluster wait at the cluster barrier";
    finding.help = kAllMustArrive;
  } else if (at_grid > 0 && at_warp == 0) {
    finding.id = FindingId::kDeadlock;
    finding.headline = "the grid barrier can never complete: " + std::to_string(block.launch->blocks_done.load()) +
                       " of " + std::to_string(block.launch->total_blocks) + " blocks have already returned";
    finding.help = "every block of a cooperative launch must take part in every grid barrier";
  } else if (is_collective_mismatch(groups)) {
    finding.id = FindingId::kCollectiveMismatch;
    finding.headline = "lanes of one warp wait for each other at different warp operations or masks";
  } else {
    finding.id = FindingId::kDeadlock;
    finding.headline = count(at_warp, "thread") + " wait at a warp operation for lanes that never come";
  }
  add_sites(finding, groups);
  finding.sites.insert(finding.sites.end(), peers.begin(), peers.end());
  finding_sink().add(std::move(finding));
}

void report_livelock(ResidentBlock& block) {
  Finding finding;
  finding.id = FindingId::kLivelock;
  finding.place = block_place(block);
  finding.headline = "lanes keep spinning and nothing else happens: no progress in " +
                     std::to_string(engine_settings().livelock_yields) + " turns";
  finding.sites.push_back({"spin", {}, block.spin_pc, ""});
  const WaitingLanes groups = sort_lanes(block);
  add_sites(finding, groups);
  LaunchState& launch = *block.launch;
  if (launch.next_block.load() < launch.total_blocks) {
    finding.notes.push_back(std::to_string(launch.next_block.load()) + " of " + std::to_string(launch.total_blocks) +
                            " blocks are resident, as many as the device can hold; the others cannot start");
  }
  finding_sink().add(std::move(finding));
}

void report_barrier_sites(ResidentBlock& block) {
  WaitingLanes groups;
  for (unsigned t = 0; t < block.size; ++t) {
    const Lane& lane = block.lanes[t];
    Waiting waiting = waiting_of(lane);
    if (waiting.state == State::kBlockBarrier) groups[waiting].push_back(t);
  }
  if (groups.size() < 2) return;             // one line, spelt by two translation units
  block.launch->early_exit_reported = true;  // what follows from wrongly paired barriers is no news
  Finding finding;
  finding.id = FindingId::kBarrierDivergence;
  finding.place = block_place(block);
  finding.headline = "threads of one block wait at " + std::to_string(groups.size()) + " different block barriers";
  add_sites(finding, groups);
  finding_sink().add(std::move(finding));
}

void report_early_exit(ResidentBlock& block, const char* barrier, SourceLine where) {
  std::vector<unsigned> gone;
  for (unsigned t = 0; t < block.size; ++t) {
    const Lane& lane = block.lanes[t];
    if (!(lane.warp->live >> lane.index & 1)) gone.push_back(t);
  }
  Finding finding;
  finding.id = FindingId::kEarlyExit;
  finding.severity = block.launch->profile->vendor == Vendor::kAmd ? Severity::kError : Severity::kWarning;
  finding.place = block_place(block);
  finding.headline = count(gone.size(), "thread") + " of " + std::to_string(block.size) + " returned before a " +
                     barrier + " barrier that the others take";
  finding.sites.push_back({"wait", where, 0, std::to_string(block.live) + " threads at a " + barrier + " barrier"});
  finding.notes.push_back(returned(gone));
  finding_sink().add(std::move(finding));
}

void report_early_exit(const Cluster& cluster) {
  Finding finding;
  finding.id = FindingId::kEarlyExit;
  finding.severity = Severity::kWarning;
  std::size_t gone_in_all = 0, live = 0;
  SourceLine where;
  for (const ResidentBlock* block : cluster.blocks) {
    std::vector<unsigned> gone;
    for (unsigned t = 0; t < block->size; ++t) {
      const Lane& lane = block->lanes[t];
      if (!(lane.warp->live >> lane.index & 1)) gone.push_back(t);
      if (lane.wait == Wait::kClusterBarrier) where = lane.site;
    }
    live += block->live;
    if (gone.empty()) continue;
    gone_in_all += gone.size();
    finding.notes.push_back("block rank " + std::to_string(block->cluster_rank) + ": " + returned(gone));
    finding.place = block_place(*block);
  }
  if (!where.file && offgrid_tls.lane) where = offgrid_tls.lane->site;
  finding.headline = count(gone_in_all, "thread") + " of " + std::to_string(gone_in_all + live) + " of a cluster" +
                     " returned before a cluster barrier that the others take";
  finding.sites.push_back({"wait", where, 0, count(live, "thread") + " at a cluster barrier"});
  finding_sink().add(std::move(finding));
}

void report_unaligned(const Warp& warp) {
  const ResidentBlock& block = resident(warp.block);
  std::map<std::tuple<std::string_view, unsigned, bool>, std::vector<unsigned>> lines;
  for (LaneMask rest = warp.live; rest; rest &= rest - 1) {
    const auto t = static_cast<unsigned>(warp.lanes - block.lanes) + static_cast<unsigned>(__builtin_ctzll(rest));
    const ClusterLane& lane = block.cluster_lanes[t];
    lines[{lane.where.file ? lane.where.file : "", lane.where.line, lane.is_aligned}].push_back(t);
  }
  Finding finding;
  finding.id = FindingId::kBarrierDivergence;
  finding.headline = "lanes of warp " + std::to_string(warp.index) +
                     " arrive at the cluster barrier by different instructions, of which one is .aligned";
  for (const auto& [line, threads] : lines) {
    const SourceLine& where = block.cluster_lanes[threads.front()].where;
    finding.sites.push_back({"arrive", where, 0, thread_ranges(threads)});
  }
  finding.place = block_place(block);
  finding.help = "all lanes of a warp execute an .aligned barrier together; leave .aligned out in diverged code";
  finding_sink().add(std::move(finding));
}

}  // namespace offgrid::emu
