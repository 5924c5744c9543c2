/// SIMD in a word: __vadd2, __vcmpgtu4 and the rest. Each name ends in 2 (halfwords) or 4 (bytes); s and u say whether
/// the fields are signed. Results wrap to the field unless the name has ss or us (saturating).
#pragma once

#include <offgrid/emu/device/packed_word.h>

#define OFFGRID_SIMD1_OF(name, FieldType, expression)                                  \
  constexpr unsigned int name(unsigned int a) noexcept {                               \
    using Field [[maybe_unused]] = FieldType;                                          \
    return offgrid::emu::per_field<Field>([](int x) -> int { return expression; }, a); \
  }
#define OFFGRID_SIMD2_OF(name, FieldType, expression)                                            \
  constexpr unsigned int name(unsigned int a, unsigned int b) noexcept {                         \
    using Field [[maybe_unused]] = FieldType;                                                    \
    return offgrid::emu::per_field<Field>([](int x, int y) -> int { return expression; }, a, b); \
  }
#define OFFGRID_SIMD_SUM_OF(name, FieldType, expression)                                                          \
  constexpr unsigned int name(unsigned int a, unsigned int b) noexcept {                                          \
    unsigned int sum = 0;                                                                                         \
    for (int i = 0; i < offgrid::emu::kFieldsInWord<FieldType>; i++) {                                            \
      const int x = offgrid::emu::packed_field<FieldType>(a, i), y = offgrid::emu::packed_field<FieldType>(b, i); \
      sum += static_cast<unsigned int>(expression);                                                               \
    }                                                                                                             \
    return sum;                                                                                                   \
  }
#define OFFGRID_SIMD(Form, name, sign, expression) \
  Form(name##2, std::sign##int16_t, expression) Form(name##4, std::sign##int8_t, expression)
// A comparison comes as a mask of ones (vcmp) and as 0 or 1 (vset).
#define OFFGRID_SIMD_COMPARE(name, sign, op)                          \
  OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vcmp##name, sign, x op y ? -1 : 0) \
  OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vset##name, sign, x op y ? 1 : 0)

OFFGRID_SIMD(OFFGRID_SIMD1_OF, __vabs, , x < 0 ? -x : x)
OFFGRID_SIMD(OFFGRID_SIMD1_OF, __vabsss, , offgrid::emu::saturate_field<Field>(x < 0 ? -x : x))
OFFGRID_SIMD(OFFGRID_SIMD1_OF, __vneg, , -x)
OFFGRID_SIMD(OFFGRID_SIMD1_OF, __vnegss, , offgrid::emu::saturate_field<Field>(-x))

OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vadd, u, x + y)
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vaddss, , offgrid::emu::saturate_field<Field>(x + y))
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vaddus, u, offgrid::emu::saturate_field<Field>(x + y))
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vsub, u, x - y)
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vsubss, , offgrid::emu::saturate_field<Field>(x - y))
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vsubus, u, offgrid::emu::saturate_field<Field>(x - y))

// Averages: vhaddu rounds down, vavg rounds a half away from zero.
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vhaddu, u, (x + y) >> 1)
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vavgu, u, (x + y + 1) >> 1)
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vavgs, , (x + y + (x + y >= 0 ? 1 : 0)) >> 1)

OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vmaxs, , x > y ? x : y)
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vmaxu, u, x > y ? x : y)
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vmins, , x < y ? x : y)
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vminu, u, x < y ? x : y)
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vabsdiffs, , x > y ? x - y : y - x)
OFFGRID_SIMD(OFFGRID_SIMD2_OF, __vabsdiffu, u, x > y ? x - y : y - x)
// Sums of absolute differences over all fields, as one number.
OFFGRID_SIMD(OFFGRID_SIMD_SUM_OF, __vsads, , x > y ? x - y : y - x)
OFFGRID_SIMD(OFFGRID_SIMD_SUM_OF, __vsadu, u, x > y ? x - y : y - x)

OFFGRID_SIMD_COMPARE(eq, u, ==)
OFFGRID_SIMD_COMPARE(ne, u, !=)
OFFGRID_SIMD_COMPARE(ges, , >=)
OFFGRID_SIMD_COMPARE(geu, u, >=)
OFFGRID_SIMD_COMPARE(gts, , >)
OFFGRID_SIMD_COMPARE(gtu, u, >)
OFFGRID_SIMD_COMPARE(les, , <=)
OFFGRID_SIMD_COMPARE(leu, u, <=)
OFFGRID_SIMD_COMPARE(lts, , <)
OFFGRID_SIMD_COMPARE(ltu, u, <)

#undef OFFGRID_SIMD1_OF
#undef OFFGRID_SIMD2_OF
#undef OFFGRID_SIMD_SUM_OF
#undef OFFGRID_SIMD
#undef OFFGRID_SIMD_COMPARE
