#include <offgrid/emu/device/address_space.h>
#include <offgrid/emu/engine/cluster.h>
#include <offgrid/emu/engine/trap.h>
#include <offgrid/emu/memory.h>

#include "engine/state.h"

namespace offgrid::emu {

static_assert(kSharedWindowBytes == SharedArena::kWindow);

constexpr unsigned kRankShift = 24;
static_assert(kSharedWindowBytes < std::size_t{1} << kRankShift);

std::uint32_t peer_address(const void* pointer) noexcept {
  if (!offgrid_tls.lane) return ~std::uint32_t{0};
  const ResidentBlock& block = resident(offgrid_tls.block);
  const unsigned rank = shared_rank_of(pointer);
  if (!block.cluster || rank == ~0u) return ~std::uint32_t{0};
  const auto distance = static_cast<const unsigned char*>(pointer) - block.cluster->blocks[rank]->shared;
  if (static_cast<std::size_t>(distance) >= kSharedWindowBytes) return ~std::uint32_t{0};
  return (rank + 1) << kRankShift | static_cast<std::uint32_t>(distance);
}

void* peer_pointer(std::size_t address) noexcept {
  if (!offgrid_tls.lane) return nullptr;
  const ResidentBlock& block = resident(offgrid_tls.block);
  const std::size_t rank = (address >> kRankShift) - 1, distance = address & ((std::size_t{1} << kRankShift) - 1);
  if (!block.cluster || rank >= block.cluster->blocks.size() || distance >= kSharedWindowBytes) return nullptr;
  return block.cluster->blocks[rank]->shared + distance;
}

bool is_local_address(const void* address) noexcept {
  if (!offgrid_tls.lane) return false;
  const auto& block = resident(offgrid_tls.block);
  const auto* at = static_cast<const unsigned char*>(address);
  for (unsigned t = 0; t < block.size; ++t) {
    const auto* stack = static_cast<const Stack*>(block.lanes[t].stack);
    if (stack && at >= stack->bottom && at < stack->bottom + offgrid_tls.worker->stacks.stack_bytes()) return true;
  }
  return false;
}

bool is_constant_address(const void* address) noexcept {
  if (is_shared_address(address) || is_local_address(address)) return false;
  const auto where = DeviceMemory::instance().find(reinterpret_cast<std::uintptr_t>(address)).what;
  if (where != AddressClass::kOutside) return false;
  lane_trap(FindingId::kUnsupported, "__isConstant of an address in the program's static storage");
}

}  // namespace offgrid::emu
