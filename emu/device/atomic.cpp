// Atomics that do not fit a header: 16 bytes at once, and the report of a misaligned address.
#include <offgrid/emu/device/atomic_access.h>
#include <offgrid/emu/engine/trap.h>

#include <cstdio>

#include "engine/state.h"

namespace offgrid::emu {

void misaligned_atomic(const volatile void* address, std::size_t bytes) {
  char text[96];
  std::snprintf(text, sizeof text, "a %zu-byte atomic operation at an address that is not a multiple of %zu (0x%llx)",
                bytes, bytes, static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(address)));
  if (offgrid_tls.lane) {
    LaunchError none = LaunchError::kNone;
    offgrid_tls.block->launch->error.compare_exchange_strong(none, LaunchError::kMisaligned);
  }
  lane_trap(FindingId::kIllegalAddress, text);
}

bool compare_exchange_16(void* address, void* expected, const void* desired) noexcept {
  __extension__ typedef unsigned __int128 __attribute__((may_alias)) Word;
  Word wanted, replacement;
  std::memcpy(&wanted, expected, 16);
  std::memcpy(&replacement, desired, 16);
  const Word seen = __sync_val_compare_and_swap(static_cast<Word*>(address), wanted, replacement);
  std::memcpy(expected, &seen, 16);
  return seen == wanted;
}

}  // namespace offgrid::emu
