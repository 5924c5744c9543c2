/// Operations that name their rounding: __fadd_rz, __fma_ru, __drcp_rd, ... Each is one IEEE operation, rounded once,
/// and never fused with its neighbours. Suffixes: rn to nearest even, rz toward zero, ru up, rd down.
#pragma once

#include <offgrid/emu/device/rounding.h>
#include <offgrid/emu/device/tainted.h>
#include <offgrid/emu/device/vector_types.h>

// Directed forms change the processor's mode through asm statements, which checks cannot follow.
#define OFFGRID_DIRECTED1(name, Float, mode, expression)       \
  namespace offgrid::emu::directed {                           \
  OFFGRID_UNFOLLOWED_BEGIN                                     \
  inline Float name(Float x) noexcept {                        \
    const RoundingScope<Round::mode> scope;                    \
    x = pinned(x);                                             \
    return device_nan(pinned(static_cast<Float>(expression))); \
  }                                                            \
  OFFGRID_UNFOLLOWED_END                                       \
  }                                                            \
  inline Float name(Float x) noexcept { return OFFGRID_TAINTED(offgrid::emu::directed::name(x), x); }
#define OFFGRID_DIRECTED2(name, Float, mode, expression)       \
  namespace offgrid::emu::directed {                           \
  OFFGRID_UNFOLLOWED_BEGIN                                     \
  inline Float name(Float x, Float y) noexcept {               \
    const RoundingScope<Round::mode> scope;                    \
    x = pinned(x), y = pinned(y);                              \
    return device_nan(pinned(static_cast<Float>(expression))); \
  }                                                            \
  OFFGRID_UNFOLLOWED_END                                       \
  }                                                            \
  inline Float name(Float x, Float y) noexcept { return OFFGRID_TAINTED(offgrid::emu::directed::name(x, y), x, y); }
#define OFFGRID_DIRECTED3(name, Float, mode, expression)                    \
  namespace offgrid::emu::directed {                                        \
  OFFGRID_UNFOLLOWED_BEGIN                                                  \
  inline Float name(Float x, Float y, Float z) noexcept {                   \
    const RoundingScope<Round::mode> scope;                                 \
    x = pinned(x), y = pinned(y), z = pinned(z);                            \
    return device_nan(pinned(static_cast<Float>(expression)));              \
  }                                                                         \
  OFFGRID_UNFOLLOWED_END                                                    \
  }                                                                         \
  inline Float name(Float x, Float y, Float z) noexcept {                   \
    return OFFGRID_TAINTED(offgrid::emu::directed::name(x, y, z), x, y, z); \
  }
#define OFFGRID_NEAREST1(name, Float, expression)                                                               \
  inline Float name(Float x) noexcept {                                                                         \
    x = offgrid::emu::unfused(x);                                                                               \
    return OFFGRID_TAINTED(offgrid::emu::device_nan(offgrid::emu::unfused(static_cast<Float>(expression))), x); \
  }
#define OFFGRID_NEAREST2(name, Float, expression)                                                                  \
  inline Float name(Float x, Float y) noexcept {                                                                   \
    x = offgrid::emu::unfused(x), y = offgrid::emu::unfused(y);                                                    \
    return OFFGRID_TAINTED(offgrid::emu::device_nan(offgrid::emu::unfused(static_cast<Float>(expression))), x, y); \
  }
#define OFFGRID_NEAREST3(name, Float, expression)                                                                     \
  inline Float name(Float x, Float y, Float z) noexcept {                                                             \
    x = offgrid::emu::unfused(x), y = offgrid::emu::unfused(y), z = offgrid::emu::unfused(z);                         \
    return OFFGRID_TAINTED(offgrid::emu::device_nan(offgrid::emu::unfused(static_cast<Float>(expression))), x, y, z); \
  }
/// One operation of `arity` operands in all four modes.
#define OFFGRID_ROUNDED(arity, name, Float, expression)                                                             \
  OFFGRID_NEAREST##arity(name##_rn, Float, expression) OFFGRID_DIRECTED##arity(name##_rz, Float, kZero, expression) \
      OFFGRID_DIRECTED##arity(name##_ru, Float, kUp, expression)                                                    \
          OFFGRID_DIRECTED##arity(name##_rd, Float, kDown, expression)

OFFGRID_ROUNDED(2, __fadd, float, x + y)
OFFGRID_ROUNDED(2, __fsub, float, x - y)
OFFGRID_ROUNDED(2, __fmul, float, (x * y))
OFFGRID_ROUNDED(2, __fdiv, float, x / y)
OFFGRID_ROUNDED(1, __frcp, float, 1.0f / x)
OFFGRID_ROUNDED(1, __fsqrt, float, __builtin_sqrtf(x))
OFFGRID_ROUNDED(3, __fmaf, float, __builtin_fmaf(x, y, z))
OFFGRID_ROUNDED(3, __fmaf_ieee, float, __builtin_fmaf(x, y, z))

OFFGRID_ROUNDED(2, __dadd, double, x + y)
OFFGRID_ROUNDED(2, __dsub, double, x - y)
OFFGRID_ROUNDED(2, __dmul, double, (x * y))
OFFGRID_ROUNDED(2, __ddiv, double, x / y)
OFFGRID_ROUNDED(1, __drcp, double, 1.0 / x)
OFFGRID_ROUNDED(1, __dsqrt, double, __builtin_sqrt(x))
OFFGRID_ROUNDED(3, __fma, double, __builtin_fma(x, y, z))

// Rounding 1 / sqrt(x) through double is exact for every float: checked for all mantissas of two neighbouring binades.
OFFGRID_NEAREST1(__frsqrt_rn, float, 1.0 / __builtin_sqrt(static_cast<double>(x)))

/// Two float operations at once, as sm_100 has them.
#define OFFGRID_ROUNDED_PAIR(suffix)                                                    \
  inline float2 __fadd2_##suffix(float2 x, float2 y) noexcept {                         \
    return make_float2(__fadd_##suffix(x.x, y.x), __fadd_##suffix(x.y, y.y));           \
  }                                                                                     \
  inline float2 __fmul2_##suffix(float2 x, float2 y) noexcept {                         \
    return make_float2(__fmul_##suffix(x.x, y.x), __fmul_##suffix(x.y, y.y));           \
  }                                                                                     \
  inline float2 __ffma2_##suffix(float2 x, float2 y, float2 z) noexcept {               \
    return make_float2(__fmaf_##suffix(x.x, y.x, z.x), __fmaf_##suffix(x.y, y.y, z.y)); \
  }
OFFGRID_ROUNDED_PAIR(rn)
OFFGRID_ROUNDED_PAIR(rz)
OFFGRID_ROUNDED_PAIR(ru)
OFFGRID_ROUNDED_PAIR(rd)

#undef OFFGRID_DIRECTED1
#undef OFFGRID_DIRECTED2
#undef OFFGRID_DIRECTED3
#undef OFFGRID_NEAREST1
#undef OFFGRID_NEAREST2
#undef OFFGRID_NEAREST3
#undef OFFGRID_ROUNDED
#undef OFFGRID_ROUNDED_PAIR
