/// What every atomic operation is made of: four functions with fixed names, so that a compiler pass or the checked mode
/// can find them.
///
/// A launch on one worker runs its lanes one at a time, and they change only inside calls: plain memory operations are
/// atomic there. The same holds for shared memory and for block scope in every launch. Each operation also takes one
/// turn off the lane's budget, so that a spin loop lets the others run.
#pragma once

#include <offgrid/emu/device/address_space.h>
#include <offgrid/emu/device/bit_cast.h>
#include <offgrid/emu/engine/collectives.h>

#include <cstring>
#include <type_traits>

#if defined(OFFGRID_ATOMICS_OUT_OF_LINE)
#define OFFGRID_ATOMIC [[gnu::noinline]] inline
#else
#define OFFGRID_ATOMIC [[gnu::always_inline]] inline
#endif
// The functions that users call. In checked mode each call is a place of its own, so none is shared out of line.
#if OFFGRID_CHECKED
#define OFFGRID_ATOMIC_NAME OFFGRID_ATOMIC
#else
#define OFFGRID_ATOMIC_NAME inline
#endif

#if OFFGRID_ACCESS_CALLS
// The location of the atomic operation that the running lane is in: the accesses that it consists of are no places for
// other lanes to run.
extern "C" {
/// On a lock-step device the operation itself is one.
void offgrid_before_atomic(const volatile void* address) noexcept;
extern __thread const volatile void* offgrid_atomic_place __attribute__((tls_model("initial-exec")));
}
#endif

namespace offgrid::emu {

/// Ends the launch with a finding.
[[noreturn]] void misaligned_atomic(const volatile void* address, std::size_t bytes);

/// Compares and exchanges 16 bytes at a 16-byte aligned address. *expected receives what was there.
bool compare_exchange_16(void* address, void* expected, const void* desired) noexcept;

namespace detail {

/// Integers of a size: Bits holds a value, Word is the object at an address of any type.
template <std::size_t Bytes>
struct AtomicSize;
#define OFFGRID_ATOMIC_SIZE(bytes, T)          \
  template <>                                  \
  struct AtomicSize<bytes> {                   \
    using Bits = T;                            \
    typedef T __attribute__((may_alias)) Word; \
  };
OFFGRID_ATOMIC_SIZE(1, std::uint8_t)
OFFGRID_ATOMIC_SIZE(2, std::uint16_t)
OFFGRID_ATOMIC_SIZE(4, std::uint32_t)
OFFGRID_ATOMIC_SIZE(8, std::uint64_t)
#undef OFFGRID_ATOMIC_SIZE

template <class T>
[[gnu::always_inline]] inline void check_atomic_alignment(const volatile T* address) {
  if (__builtin_expect(reinterpret_cast<std::uintptr_t>(address) & (sizeof(T) - 1), 0)) {
    misaligned_atomic(address, sizeof(T));
  }
}

template <class T>
[[gnu::always_inline]] inline void begin_atomic(const volatile T* address, [[maybe_unused]] AtomicKind kind,
                                                [[maybe_unused]] AtomicScope scope) {
  check_atomic_alignment(address);
#if OFFGRID_CHECKED
  checked_atomic_begin(address, sizeof(T), kind, scope);
#else
  take_atomic_turn(address, sizeof(T), kind != AtomicKind::kLoad);
#if OFFGRID_ACCESS_CALLS
  offgrid_before_atomic(address);
  offgrid_atomic_place = address;
#endif
#endif
}

[[gnu::always_inline]] inline void end_atomic() {
#if OFFGRID_CHECKED
  checked_atomic_end();
#elif OFFGRID_ACCESS_CALLS
  offgrid_atomic_place = nullptr;
#endif
}

/// A checked launch has one worker, and checks only see through plain operations.
[[gnu::always_inline]] inline bool plain_is_atomic([[maybe_unused]] const void* address,
                                                   [[maybe_unused]] AtomicScope scope) {
#if OFFGRID_CHECKED
  return true;
#else
  if (scope == AtomicScope::kSystem) return false;
  if (offgrid_tls.exclusive) return true;
  return scope == AtomicScope::kBlock ? offgrid_tls.lane != nullptr : is_shared_address(address);
#endif
}

}  // namespace detail

// The plain forms below read and write the value itself, so that the checks see which of its bits are defined.
template <class T>
[[gnu::always_inline]] inline T plain_load(const volatile T* address) {
#if OFFGRID_CHECKED
  typedef T __attribute__((may_alias)) Object;
  return *const_cast<const Object*>(reinterpret_cast<const volatile Object*>(address));
#else
  using Word = typename detail::AtomicSize<sizeof(T)>::Word;
  return bits_as<T>(__atomic_load_n(reinterpret_cast<const volatile Word*>(address), __ATOMIC_RELAXED));
#endif
}
template <class T>
[[gnu::always_inline]] inline void plain_store(volatile T* address, const T& value) {
#if OFFGRID_CHECKED
  typedef T __attribute__((may_alias)) Object;
  *const_cast<Object*>(reinterpret_cast<volatile Object*>(address)) = value;
#else
  using Size = detail::AtomicSize<sizeof(T)>;
  __atomic_store_n(reinterpret_cast<volatile typename Size::Word*>(address), bits_as<typename Size::Bits>(value),
                   __ATOMIC_RELAXED);
#endif
}

template <class T>
OFFGRID_ATOMIC T atomic_load(const volatile T* address) {
  detail::begin_atomic(address, AtomicKind::kLoad, AtomicScope::kDevice);
#if OFFGRID_CHECKED
  const T value = plain_load(address);
  detail::end_atomic();
  return value;
#else
  using Word = typename detail::AtomicSize<sizeof(T)>::Word;
  return bits_as<T>(__atomic_load_n(reinterpret_cast<const volatile Word*>(address), __ATOMIC_SEQ_CST));
#endif
}

template <class T>
OFFGRID_ATOMIC void atomic_store(volatile T* address, std::common_type_t<T> value, AtomicScope scope) {
  detail::begin_atomic(address, AtomicKind::kStore, scope);
  if (detail::plain_is_atomic(const_cast<T*>(address), scope)) {
    plain_store(address, value);
  } else {
    using Size = detail::AtomicSize<sizeof(T)>;
    auto* word = reinterpret_cast<volatile typename Size::Word*>(address);
    __atomic_store_n(word, bits_as<typename Size::Bits>(value), __ATOMIC_SEQ_CST);
  }
  detail::end_atomic();
}

/// *address = op(*address); returns what was there. An operation with kLocked has its own locked instruction.
template <class T, class Op>
OFFGRID_ATOMIC T atomic_rmw(T* address, Op op, AtomicScope scope) {
  detail::begin_atomic(address, Op::kOverwrites ? AtomicKind::kExchange : AtomicKind::kReadModifyWrite, scope);
  using Size = detail::AtomicSize<sizeof(T)>;
  using Bits = typename Size::Bits;
#if OFFGRID_CHECKED
  if constexpr (Op::kRounds) checked_float_add(address, static_cast<double>(op.value), sizeof(T));
#endif
  if (detail::plain_is_atomic(address, scope)) {
    const T old = plain_load(address);
    plain_store(address, op(old));
    detail::end_atomic();
    return old;
  }
  auto* word = reinterpret_cast<typename Size::Word*>(address);
  if constexpr (Op::kLocked) {
    return op.locked(address);
  } else {
    Bits bits = __atomic_load_n(word, __ATOMIC_RELAXED);
    for (;;) {
      const T old = bits_as<T>(bits);
      const Bits wanted = bits_as<Bits>(op(old));
      if (__atomic_compare_exchange_n(word, &bits, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return old;
    }
  }
}

/// Stores `desired` if the bits of *address equal those of `expected`; returns what was there.
template <class T>
OFFGRID_ATOMIC T atomic_compare_exchange(T* address, T expected, T desired, AtomicScope scope) {
  detail::begin_atomic(address, AtomicKind::kReadModifyWrite, scope);
  if constexpr (sizeof(T) == 16) {
#if OFFGRID_CHECKED
    const T old = plain_load(address);
    const bool swaps = std::memcmp(&old, &expected, 16) == 0;
    if (swaps) plain_store(address, desired);
    detail::end_atomic();
    if (swaps) checked_swapped(address, scope);
    return old;
#else
    compare_exchange_16(address, &expected, &desired);
    return expected;
#endif
  } else {
    using Size = detail::AtomicSize<sizeof(T)>;
    using Bits = typename Size::Bits;
    if (detail::plain_is_atomic(address, scope)) {
      const T old = plain_load(address);
      const bool swaps = bits_as<Bits>(old) == bits_as<Bits>(expected);
      if (swaps) plain_store(address, desired);
      detail::end_atomic();
#if OFFGRID_CHECKED
      if (swaps) checked_swapped(address, scope);
#endif
      return old;
    }
    auto* word = reinterpret_cast<typename Size::Word*>(address);
    Bits bits = bits_as<Bits>(expected);
    const Bits wanted = bits_as<Bits>(desired);
    __atomic_compare_exchange_n(word, &bits, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return bits_as<T>(bits);
  }
}

}  // namespace offgrid::emu
