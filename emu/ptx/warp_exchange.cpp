#include "ptx/warp_exchange.h"

#include <offgrid/emu/engine/trap.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "engine/state.h"

namespace offgrid::emu::ptx {
namespace {

constexpr LaneMask kAllLanes = 0xFFFFFFFF;

struct WarpExchange {
  const Warp* warp = nullptr;
  std::uint64_t launch = 0, block = 0;
  std::uint64_t operations[kExchangeLanes] = {};
  Exchange sides[2];
};

/// The record of the lane's warp, one of its worker's. A warp's memory serves block after block: each begins anew.
WarpExchange& exchange_of(const Lane& lane) {
  static thread_local std::vector<std::unique_ptr<WarpExchange>> warps;
  static thread_local WarpExchange* last = nullptr;
  if (!last || last->warp != lane.warp) {
    const auto known = std::find_if(warps.begin(), warps.end(), [&](const auto& w) { return w->warp == lane.warp; });
    if (known != warps.end()) {
      last = known->get();
    } else {
      last = warps.emplace_back(std::make_unique<WarpExchange>()).get();
    }
    last->warp = lane.warp;
  }
  const ResidentBlock& block = resident(lane.warp->block);
  if (last->launch != block.launch->number || last->block != block.linear_index) {
    last->launch = block.launch->number;
    last->block = block.linear_index;
    std::fill(std::begin(last->operations), std::end(last->operations), 0);
  }
  return *last;
}

/// One word for an instruction and how many a lane has executed before it.
std::uint64_t arrival(const Instruction& instruction, std::uint64_t operation) {
  return reinterpret_cast<std::uintptr_t>(&instruction) ^ operation << 48;
}

void check_lanes(Machine& m, const Instruction& instruction, LaneMask lanes, const Exchange& exchange) {
  if (lanes != kAllLanes) {
    lane_trap(FindingId::kCollectiveMismatch,
              "`" + instruction.text + "` is executed by " + std::to_string(__builtin_popcountll(lanes)) +
                  " lanes of a warp; it needs all 32",
              m.where);
  }
  const std::uint64_t mine = exchange.arrivals[offgrid_tls.lane->index];
  for (unsigned lane = 0; lane < kExchangeLanes; ++lane) {
    if (exchange.arrivals[lane] == mine) continue;
    lane_trap(FindingId::kCollectiveMismatch,
              "lane " + std::to_string(offgrid_tls.lane->index) + " executes `" + instruction.text + "`, and lane " +
                  std::to_string(lane) + " of the warp something else",
              m.where);
  }
}

}  // namespace

Exchange& begin_exchange(const Machine& m, const Instruction& instruction) {
  const Lane* lane = offgrid_tls.lane;
  if (!lane || offgrid_tls.block->warp_size != kExchangeLanes) {
    lane_trap(FindingId::kUnsupported, "a matrix operation where warps do not have 32 lanes", m.where);
  }
  WarpExchange& warp = exchange_of(*lane);
  const std::uint64_t operation = warp.operations[lane->index]++;
  Exchange& exchange = warp.sides[operation % 2];
  exchange.arrivals[lane->index] = arrival(instruction, operation);
  exchange.is_met = false;
  return exchange;
}

bool meet(Machine& m, const Instruction& instruction, Exchange& exchange) {
  if (m.is_checked()) exchange.taints[offgrid_tls.lane->index] = m.seen;
  const LaneMask lanes = offgrid_vote(kAllLanes, true, m.where.file, static_cast<int>(m.where.line));
  if (exchange.is_met) return false;
  exchange.is_met = true;
  check_lanes(m, instruction, lanes, exchange);
  return true;
}

}  // namespace offgrid::emu::ptx
