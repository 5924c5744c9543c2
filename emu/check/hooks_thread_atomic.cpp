// The atomic operations of g++'s -fsanitize=thread: std::atomic and the compiler's own built-in functions in kernels,
// which it turns into calls that also do the operation. The emulator's atomics (device/atomic_access.h) do not come
// here.
#include <offgrid/emu/device/atomic_access.h>

#include "check/hooks_thread.h"
#include "check/metadata.h"
#include "check/sync.h"
#include "engine/observer.h"

using namespace offgrid::emu;
using namespace offgrid::emu::check;

namespace {

__extension__ typedef unsigned __int128 Word128;

/// Orders are numbered as by the C++ standard; a release is a fence before the operation.
bool is_release(int order) { return (order & 0xFF) >= __ATOMIC_RELEASE; }

void before_atomic(const volatile void* p, std::size_t bytes, AtomicKind kind, int order, void* pc) {
  if (!offgrid_tls.lane) return;
  take_turn();
  Lane* lane = offgrid_tls.lane;
  if (kind != AtomicKind::kLoad && is_release(order)) observer->fence(*lane, AtomicScope::kDevice);
  const Access access{address_of(p), bytes, AccessKind::kAtomicDevice, address_of(pc), lane};
  note_atomic(*lane, access.address, kind, AtomicScope::kDevice);
  check_range(access);
  std::size_t offset = 0;
  if (!metadata.offset_of(access.address, offset)) return;
  if (kind != AtomicKind::kStore) check_written(access, metadata.shadow + offset);
  if (kind != AtomicKind::kLoad) mark_defined(const_cast<const void*>(p), bytes);
}

/// Stores `desired` if *p is *expected, else sets *expected to *p.
template <class T>
bool exchange_if(volatile T* p, T* expected, T desired) {
  return __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
bool exchange_if(volatile Word128* p, Word128* expected, Word128 desired) {
  return compare_exchange_16(const_cast<Word128*>(p), expected, &desired);
}

template <class T>
T load(const volatile T* p) {
  return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}
Word128 load(const volatile Word128* p) {
  Word128 value = 0;
  exchange_if(const_cast<volatile Word128*>(p), &value, Word128{0});
  return value;
}

/// *p = op(*p); returns what was there.
template <class T, class Op>
T modify(volatile T* p, Op op) {
  T old = load(p);
  while (!exchange_if(p, &old, static_cast<T>(op(old)))) {
  }
  return old;
}

}  // namespace

extern "C" {

#define OFFGRID_TELL(kind) before_atomic(p, sizeof *p, AtomicKind::kind, order, __builtin_return_address(0))

#define OFFGRID_FETCH(bits, T, name, expression)                          \
  T __tsan_atomic##bits##_##name(volatile T* p, T value, int order) {     \
    OFFGRID_TELL(kReadModifyWrite);                                       \
    return modify(p, [=]([[maybe_unused]] T old) { return expression; }); \
  }

#define OFFGRID_EXCHANGE_IF(bits, T, strength)                                                                  \
  bool __tsan_atomic##bits##_compare_exchange_##strength(volatile T* p, T* expected, T value, int order, int) { \
    OFFGRID_TELL(kReadModifyWrite);                                                                             \
    mark_defined(expected, sizeof *expected);                                                                   \
    return exchange_if(p, expected, value);                                                                     \
  }

#define OFFGRID_ATOMICS(bits, T)                                                                     \
  T __tsan_atomic##bits##_load(const volatile T* p, int order) {                                     \
    OFFGRID_TELL(kLoad);                                                                             \
    return load(p);                                                                                  \
  }                                                                                                  \
  void __tsan_atomic##bits##_store(volatile T* p, T value, int order) {                              \
    OFFGRID_TELL(kStore);                                                                            \
    modify(p, [=](T) { return value; });                                                             \
  }                                                                                                  \
  OFFGRID_FETCH(bits, T, exchange, value)                                                            \
  OFFGRID_FETCH(bits, T, fetch_add, old + value)                                                     \
  OFFGRID_FETCH(bits, T, fetch_sub, old - value)                                                     \
  OFFGRID_FETCH(bits, T, fetch_and, old& value)                                                      \
  OFFGRID_FETCH(bits, T, fetch_or, old | value)                                                      \
  OFFGRID_FETCH(bits, T, fetch_xor, old ^ value)                                                     \
  OFFGRID_FETCH(bits, T, fetch_nand, ~(old & value))                                                 \
  OFFGRID_EXCHANGE_IF(bits, T, strong)                                                               \
  OFFGRID_EXCHANGE_IF(bits, T, weak)                                                                 \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T value, int order, int) { \
    OFFGRID_TELL(kReadModifyWrite);                                                                  \
    exchange_if(p, &expected, value);                                                                \
    return expected;                                                                                 \
  }

OFFGRID_ATOMICS(8, std::uint8_t)
OFFGRID_ATOMICS(16, std::uint16_t)
OFFGRID_ATOMICS(32, std::uint32_t)
OFFGRID_ATOMICS(64, std::uint64_t)
OFFGRID_ATOMICS(128, Word128)

#undef OFFGRID_ATOMICS
#undef OFFGRID_EXCHANGE_IF
#undef OFFGRID_FETCH
#undef OFFGRID_TELL

void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (offgrid_tls.lane) observer->fence(*offgrid_tls.lane, AtomicScope::kDevice);
}

void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
