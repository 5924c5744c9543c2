// What checked kernels call to copy or fill memory: clang's names, and those that `offgrid cc` gives to g++'s calls.
// This file keeps frame pointers, so that a fault is reported in the kernel that asked for the copy.
#include <cstring>

#include "check/access.h"
#include "check/context.h"
#include "check/origins.h"
#include "check/undefined.h"

using namespace offgrid::emu;
using namespace offgrid::emu::check;

namespace {

std::uintptr_t address_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// The bytes of each side are checked as one access. `from` is null for a fill.
void check_transfer(const void* to, const void* from, std::size_t bytes, const void* pc) {
  Lane* lane = offgrid_tls.lane;
  if (from) {
    const Access read{address_of(from), bytes, AccessKind::kRead, address_of(pc), lane};
    check_range(read);
    if (lane) origins_of_copy(read);
  }
  // One place stands for two accesses: the store is told apart by its address behind the call.
  check_range({address_of(to), bytes, AccessKind::kWrite, address_of(pc) + (from ? 1 : 0), lane});
}

/// Pointers into the first page fault here, and not somewhere in the C library.
[[gnu::always_inline]] inline void touch(void* to, const void* from, std::size_t bytes, bool reads = true) {
  constexpr std::uintptr_t kPage = 4096;
  if (bytes == 0) return;
  if (reads && address_of(from) < kPage) static_cast<void>(*static_cast<const volatile unsigned char*>(from));
  if (address_of(to) < kPage) *static_cast<volatile unsigned char*>(to) = 0;
}

[[gnu::always_inline]] inline void* copy(void* to, const void* from, std::size_t bytes) {
  check_transfer(to, from, bytes, __builtin_return_address(0));
  copy_marks(to, from, bytes);
  touch(to, from, bytes);
  return std::memcpy(to, from, bytes);
}

[[gnu::always_inline]] inline void* move(void* to, const void* from, std::size_t bytes) {
  check_transfer(to, from, bytes, __builtin_return_address(0));
  copy_marks(to, from, bytes);
  touch(to, from, bytes);
  return std::memmove(to, from, bytes);
}

[[gnu::always_inline]] inline void* fill(void* to, int value, std::size_t bytes) {
  check_transfer(to, nullptr, bytes, __builtin_return_address(0));
  mark_defined(to, bytes);
  touch(to, nullptr, bytes, false);
  return std::memset(to, value, bytes);
}

}  // namespace

extern "C" {

void* __msan_memcpy(void* to, const void* from, std::size_t bytes) { return copy(to, from, bytes); }
void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) { return copy(to, from, bytes); }
void* __msan_memmove(void* to, const void* from, std::size_t bytes) { return move(to, from, bytes); }
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) { return move(to, from, bytes); }
void* __msan_memset(void* to, int value, std::size_t bytes) { return fill(to, value, bytes); }
void* __tsan_memset(void* to, int value, std::size_t bytes) { return fill(to, value, bytes); }

}  // extern "C"
