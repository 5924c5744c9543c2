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

namespace offgrid::emu {

enum class AtomicScope { kBlock, kDevice, kSystem };

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
[[gnu::always_inline]] inline void begin_atomic(const volatile T* address) {
  if (__builtin_expect(reinterpret_cast<std::uintptr_t>(address) & (sizeof(T) - 1), 0)) {
    misaligned_atomic(address, sizeof(T));
  }
  take_turn();
}

[[gnu::always_inline]] inline bool plain_is_atomic(const void* address, AtomicScope scope) {
  if (scope == AtomicScope::kSystem) return false;
  if (offgrid_tls.exclusive) return true;
  return scope == AtomicScope::kBlock ? offgrid_tls.lane != nullptr : is_shared_address(address);
}

}  // namespace detail

template <class T>
OFFGRID_ATOMIC T atomic_load(const volatile T* address) {
  detail::begin_atomic(address);
  using Word = typename detail::AtomicSize<sizeof(T)>::Word;
  return bits_as<T>(__atomic_load_n(reinterpret_cast<const volatile Word*>(address), __ATOMIC_SEQ_CST));
}

template <class T>
OFFGRID_ATOMIC void atomic_store(volatile T* address, std::common_type_t<T> value, AtomicScope scope) {
  detail::begin_atomic(address);
  using Size = detail::AtomicSize<sizeof(T)>;
  auto* word = reinterpret_cast<volatile typename Size::Word*>(address);
  const auto bits = bits_as<typename Size::Bits>(value);
  detail::plain_is_atomic(const_cast<T*>(address), scope) ? __atomic_store_n(word, bits, __ATOMIC_RELAXED)
                                                          : __atomic_store_n(word, bits, __ATOMIC_SEQ_CST);
}

/// *address = op(*address); returns what was there. An operation with kLocked has its own locked instruction.
template <class T, class Op>
OFFGRID_ATOMIC T atomic_rmw(T* address, Op op, AtomicScope scope) {
  detail::begin_atomic(address);
  using Size = detail::AtomicSize<sizeof(T)>;
  using Bits = typename Size::Bits;
  auto* word = reinterpret_cast<typename Size::Word*>(address);
  if (detail::plain_is_atomic(address, scope)) {
    const T old = bits_as<T>(static_cast<Bits>(__atomic_load_n(word, __ATOMIC_RELAXED)));
    __atomic_store_n(word, bits_as<Bits>(op(old)), __ATOMIC_RELAXED);
    return old;
  }
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
  detail::begin_atomic(address);
  if constexpr (sizeof(T) == 16) {
    compare_exchange_16(address, &expected, &desired);
    return expected;
  } else {
    using Size = detail::AtomicSize<sizeof(T)>;
    using Bits = typename Size::Bits;
    auto* word = reinterpret_cast<typename Size::Word*>(address);
    Bits bits = bits_as<Bits>(expected);
    const Bits wanted = bits_as<Bits>(desired);
    if (detail::plain_is_atomic(address, scope)) {
      const Bits old = __atomic_load_n(word, __ATOMIC_RELAXED);
      if (old == bits) __atomic_store_n(word, wanted, __ATOMIC_RELAXED);
      return bits_as<T>(old);
    }
    __atomic_compare_exchange_n(word, &bits, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return bits_as<T>(bits);
  }
}

}  // namespace offgrid::emu
