#include <offgrid/emu/device/address_space.h>
#include <offgrid/emu/engine/trap.h>
#include <offgrid/emu/memory.h>

#include "engine/state.h"

namespace offgrid::emu {

static_assert(kSharedWindowBytes == SharedArena::kWindow);

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
