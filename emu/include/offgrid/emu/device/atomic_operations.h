/// The operations of atomic read-modify-write: what becomes of the old value.
#pragma once

#include <offgrid/emu/device/atomic_access.h>
#include <offgrid/emu/device/minmax.h>
#include <offgrid/emu/device/rounding.h>

namespace offgrid::emu::atomic_op {

/// Operations with a locked instruction for integers.
#define OFFGRID_ATOMIC_INTEGER_OP(Name, expression, builtin)                           \
  template <class T>                                                                   \
  struct Name {                                                                        \
    static constexpr bool kLocked = true;                                              \
    static constexpr bool kRounds = false;                                             \
    static constexpr bool kOverwrites = false;                                         \
    T value;                                                                           \
    T operator()(T old) const {                                                        \
      using Unsigned = std::make_unsigned_t<T>;                                        \
      const Unsigned a = static_cast<Unsigned>(old), b = static_cast<Unsigned>(value); \
      return static_cast<T>(expression);                                               \
    }                                                                                  \
    T locked(T* address) const { return builtin(address, value, __ATOMIC_SEQ_CST); }   \
  };
OFFGRID_ATOMIC_INTEGER_OP(IntegerAdd, a + b, __atomic_fetch_add)
OFFGRID_ATOMIC_INTEGER_OP(IntegerSub, a - b, __atomic_fetch_sub)
OFFGRID_ATOMIC_INTEGER_OP(And, a& b, __atomic_fetch_and)
OFFGRID_ATOMIC_INTEGER_OP(Or, a | b, __atomic_fetch_or)
OFFGRID_ATOMIC_INTEGER_OP(Xor, a ^ b, __atomic_fetch_xor)
#undef OFFGRID_ATOMIC_INTEGER_OP

/// Operations done by a loop of compare and exchange.
template <class T>
struct Looped {
  static constexpr bool kLocked = false;
  static constexpr bool kRounds = false;      ///< a sum of several depends on their order
  static constexpr bool kOverwrites = false;  ///< whatever was there
  T value;
};

template <class T>
struct Exchange : Looped<T> {
  static constexpr bool kOverwrites = true;
  T operator()(T) const { return this->value; }
};

/// The smaller zero is -0, and a NaN loses against a number.
template <class T>
struct Min : Looped<T> {
  T operator()(T old) const { return device_min(old, this->value); }
};
template <class T>
struct Max : Looped<T> {
  T operator()(T old) const { return device_max(old, this->value); }
};

/// 0 after `value`.
template <class T>
struct WrappingIncrement : Looped<T> {
  T operator()(T old) const { return old >= this->value ? 0 : old + 1; }
};
/// `value` before 0, and from above it.
template <class T>
struct WrappingDecrement : Looped<T> {
  T operator()(T old) const {
    // Not ||: clang would take an operand that is not always looked at for defined.
    const bool wraps = (old == 0) | (old > this->value);
    return wraps ? this->value : old - 1;
  }
};

/// x, or a zero of its sign if it is subnormal.
inline float flushed(float x) noexcept {
  const auto bits = bits_as<std::uint32_t>(x);
  return bits & 0x7f800000u ? x : bits_as<float>(bits & 0x80000000u);
}

/// Rounds on its own: the operand is never fused with the addition. On NVIDIA's devices the float32 unit of global
/// memory flushes subnormal operands and results; the addition for shared memory keeps them. A subnormal sum is exact,
/// so that flushing it afterwards is the same as flushing before rounding.
struct FloatAdd : Looped<float> {
  static constexpr bool kRounds = true;
  bool flushes;
  float operator()(float old) const {
    if (!flushes) return OFFGRID_TAINTED(device_nan(old + unfused(value)), old, value);
    return OFFGRID_TAINTED(device_nan(flushed(flushed(old) + flushed(unfused(value)))), old, value);
  }
};
inline FloatAdd float_add(const float* address, float value) {
#if defined(__HIP_PLATFORM_AMD__)
  (void)address;
  return {{value}, false};
#else
  return {{value}, !is_shared_address(address)};
#endif
}

struct DoubleAdd : Looped<double> {
  static constexpr bool kRounds = true;
  double operator()(double old) const { return old + unfused(value); }
};

/// One 16-bit float, or a pair of them: each is rounded once, and subnormals stay.
template <class T, class = void>
struct Float16Add : Looped<T> {
  T operator()(T old) const { return __hadd(old, this->value); }
};
template <class T>
struct Float16Add<T, std::void_t<typename T::Lane>> : Looped<T> {
  T operator()(T old) const { return __hadd2(old, this->value); }
};

}  // namespace offgrid::emu::atomic_op
