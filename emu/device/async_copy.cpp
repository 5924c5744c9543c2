#include "device/async_copy.h"

#include <offgrid/emu/engine/trap.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "check/access.h"
#include "check/in_flight.h"
#include "engine/state.h"

namespace offgrid::emu {
namespace {

struct Copy {
  unsigned char* to;
  const unsigned char* from;
  std::uint32_t bytes, given;
  std::uintptr_t pc;
};

/// The copies of a lane that have not landed, oldest first.
struct LaneCopies {
  std::vector<Copy> copies;
  std::vector<std::size_t> group_ends;  ///< indices into copies
  std::size_t landed = 0, groups_landed = 0;

  void clear() {
    copies.clear();
    group_ends.clear();
    landed = groups_landed = 0;
  }
  void forget_landed() {
    copies.erase(copies.begin(), copies.begin() + static_cast<std::ptrdiff_t>(landed));
    group_ends.erase(group_ends.begin(), group_ends.begin() + static_cast<std::ptrdiff_t>(groups_landed));
    for (std::size_t& end : group_ends) end -= landed;
    landed = groups_landed = 0;
  }
};

struct BlockCopies {
  const Block* block = nullptr;
  std::uint64_t launch = 0, linear_index = 0;
  std::vector<LaneCopies> lanes;
};

/// The record of the running lane. A block's memory serves one block after the other: each begins without copies.
LaneCopies& copies_of(const Lane& lane) {
  static thread_local std::vector<std::unique_ptr<BlockCopies>> blocks;
  static thread_local BlockCopies* last = nullptr;
  const ResidentBlock& block = resident(lane.warp->block);
  if (!last || last->block != &block) {
    auto known = std::find_if(blocks.begin(), blocks.end(), [&](const auto& b) { return b->block == &block; });
    if (known == blocks.end()) known = blocks.insert(known, std::make_unique<BlockCopies>());
    last = known->get();
    last->block = &block;
  }
  if (last->launch != block.launch->number || last->linear_index != block.linear_index) {
    last->launch = block.launch->number;
    last->linear_index = block.linear_index;
    for (LaneCopies& copies : last->lanes) copies.clear();
  }
  const auto thread = static_cast<std::size_t>(&lane - block.lanes);
  if (thread >= last->lanes.size()) last->lanes.resize(block.size);
  return last->lanes[thread];
}

/// A place stands for one kind of access: the write is told from the read by an address inside the call.
check::Access read_of(const Copy& copy, Lane* lane) {
  return {reinterpret_cast<std::uintptr_t>(copy.from), copy.given, check::AccessKind::kRead, copy.pc, lane};
}
check::Access write_of(const Copy& copy, Lane* lane) {
  return {reinterpret_cast<std::uintptr_t>(copy.to), copy.bytes, check::AccessKind::kWrite, copy.pc - 1, lane};
}

void check_both(const Copy& copy, Lane* lane) {
  if (copy.given > 0) check::check_range(read_of(copy, lane));
  check::check_range(write_of(copy, lane));
}

void land(const Copy& copy, Lane* lane) {
  if (observer && lane) {
    check_both(copy, lane);
    observer->wrote(copy.to, copy.bytes);
    observer->copied(copy.to, copy.from, copy.given, 0, 0);
  }
  std::memcpy(copy.to, copy.from, copy.given);
  std::memset(copy.to + copy.given, 0, copy.bytes - copy.given);
}

void require_aligned(const char* what, const void* address, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (at % bytes == 0) return;
  lane_report(FindingId::kMisaligned, "asynchronous copy of " + std::to_string(bytes) + " B " + what + " byte " +
                                          std::to_string(at % bytes) + " past a multiple of " + std::to_string(bytes));
}

/// An address that cannot be accessed faults here, in the line that starts the copy.
void touch(const Copy& copy) {
  static_cast<void>(*static_cast<const volatile unsigned char*>(copy.to));
  if (copy.given > 0) static_cast<void>(*static_cast<const volatile unsigned char*>(copy.from));
}

}  // namespace

void start_async_copy_at(void* to, const void* from, std::size_t bytes, std::size_t given, std::uintptr_t pc) {
  const Copy copy{static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from),
                  static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(std::min(given, bytes)), pc};
  Lane* lane = offgrid_tls.lane;
  if (!lane) return land(copy, nullptr);
  require_aligned("to", to, bytes);
  if (copy.given > 0) require_aligned("from", from, bytes);
  if (observer) {
    check_both(copy, lane);
    check::mark_in_flight(write_of(copy, lane));
  }
  touch(copy);
  copies_of(*lane).copies.push_back(copy);
}

void start_async_copy(void* to, const void* from, std::size_t bytes, std::size_t given) noexcept {
  start_async_copy_at(to, from, bytes, given, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

void commit_async_copies() noexcept {
  const Lane* lane = offgrid_tls.lane;
  if (!lane) return;
  LaneCopies& mine = copies_of(*lane);
  mine.group_ends.push_back(mine.copies.size());
}

void wait_for_async_copies(unsigned pending) noexcept {
  Lane* lane = offgrid_tls.lane;
  if (!lane) return;
  LaneCopies& mine = copies_of(*lane);
  while (mine.group_ends.size() - mine.groups_landed > pending) {
    const std::size_t end = mine.group_ends[mine.groups_landed++];
    while (mine.landed < end) land(mine.copies[mine.landed++], lane);
  }
  constexpr std::size_t kMostLanded = 256;
  if (mine.landed == mine.copies.size() || mine.landed > kMostLanded) mine.forget_landed();
}

}  // namespace offgrid::emu
