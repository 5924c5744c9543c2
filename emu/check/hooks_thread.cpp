// What g++'s -fsanitize=thread makes kernels call: the address of each access, before it. The calls are the compiler's;
// the meaning is ours.
#include "check/hooks_thread.h"

#include <algorithm>
#include <cstring>

#include "check/access_fast.h"
#include "check/in_flight.h"
#include "check/metadata.h"
#include "check/start.h"
#include "check/undefined.h"
#include "check/volatile_places.h"

using namespace offgrid::emu;
using namespace offgrid::emu::check;

namespace offgrid::emu::check {

void check_written(const Access& access, const unsigned char* shadow) {
  std::size_t offset = 0;
  if (!access.lane || access.bytes > 8 || !metadata.offset_of(access.address, offset)) return;
  if (!std::all_of(shadow, shadow + access.bytes, [](unsigned char bits) { return bits == 0xFF; })) return;
  const std::uint32_t* origin = metadata.origin + offset / 4;
  const std::uint32_t* end = metadata.origin + (offset + access.bytes + 3) / 4;
  if (is_in_flight(*origin)) return report_read_in_flight(*origin, access.pc);
  if (std::any_of(origin, end, [](std::uint32_t word) { return word != 0; })) return;  // clang's code stored it
  report_unwritten_load(access);
}

}  // namespace offgrid::emu::check

namespace {

/// Kernels also read their arguments and other memory of the host's.
bool is_watched(std::uintptr_t address) {
  std::size_t offset = 0;
  return metadata.offset_of(address, offset);
}

template <std::size_t Bytes>
[[gnu::always_inline]] inline void before_read(std::uintptr_t address, std::uintptr_t pc) {
  if (!is_watched(address)) return;
  const Marks marks = access<Bytes, false>(address, pc);
  if constexpr (Bytes <= 8) {
    const auto* shadow = static_cast<const unsigned char*>(marks.shadow);
    if (__builtin_expect(*shadow != 0, 0)) {
      check_written({address, Bytes, AccessKind::kRead, pc, offgrid_tls.lane}, shadow);
    }
  }
}

template <std::size_t Bytes>
[[gnu::always_inline]] inline void before_write(std::uintptr_t address, std::uintptr_t pc) {
  if (is_watched(address)) std::memset(access<Bytes, true>(address, pc).shadow, 0, Bytes);
}

void before_range(void* p, std::size_t bytes, AccessKind kind, void* pc) {
  if (!is_watched(address_of(p))) return;
  check_range({address_of(p), bytes, kind, address_of(pc), offgrid_tls.lane});
  if (kind == AccessKind::kWrite) mark_defined(p, bytes);
}

}  // namespace

extern "C" {

void __tsan_init() { start(); }

#define OFFGRID_HOOKS(bytes)                                                                                         \
  void __tsan_read##bytes(void* p) { before_read<bytes>(address_of(p), address_of(__builtin_return_address(0))); }   \
  void __tsan_write##bytes(void* p) { before_write<bytes>(address_of(p), address_of(__builtin_return_address(0))); } \
  void __tsan_volatile_read##bytes(void* p) {                                                                        \
    note_volatile_place(address_of(__builtin_return_address(0)));                                                    \
    before_read<bytes>(address_of(p), address_of(__builtin_return_address(0)));                                      \
  }                                                                                                                  \
  void __tsan_volatile_write##bytes(void* p) {                                                                       \
    note_volatile_place(address_of(__builtin_return_address(0)));                                                    \
    before_write<bytes>(address_of(p), address_of(__builtin_return_address(0)));                                     \
  }                                                                                                                  \
  void __tsan_unaligned_read##bytes(void* p) {                                                                       \
    before_range(p, bytes, AccessKind::kRead, __builtin_return_address(0));                                          \
  }                                                                                                                  \
  void __tsan_unaligned_write##bytes(void* p) {                                                                      \
    before_range(p, bytes, AccessKind::kWrite, __builtin_return_address(0));                                         \
  }
OFFGRID_HOOKS(1)
OFFGRID_HOOKS(2)
OFFGRID_HOOKS(4)
OFFGRID_HOOKS(8)
OFFGRID_HOOKS(16)
#undef OFFGRID_HOOKS

void __tsan_read_range(void* p, std::size_t bytes) {
  before_range(p, bytes, AccessKind::kRead, __builtin_return_address(0));
}
void __tsan_write_range(void* p, std::size_t bytes) {
  before_range(p, bytes, AccessKind::kWrite, __builtin_return_address(0));
}

// The pointer to an object's virtual functions.
void __tsan_vptr_read(void** p) { before_read<8>(address_of(p), address_of(__builtin_return_address(0))); }
void __tsan_vptr_update(void** p, void*) { before_write<8>(address_of(p), address_of(__builtin_return_address(0))); }

void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

}  // extern "C"
