/// Rounding modes, and what keeps the compiler from fusing, folding or moving an operation that names its rounding.
///
/// Two tools. `unfused(x)` hides a value's origin from contraction: an operation on it cannot become half of a fused
/// one, whatever -ffp-contract says. A RoundingScope changes the processor's mode; values enter and leave it through
/// `pinned`, so that the operation between cannot leave it, and no constant is folded to nearest.
#pragma once

#if !defined(__x86_64__) && !defined(__i386__)
#include <cfenv>
#endif

#include <offgrid/emu/device/tainted.h>
#if OFFGRID_CHECKED
#include <offgrid/emu/numerics/nan_tag.h>
#endif

#include <cstdint>

namespace offgrid::emu {

enum class Round { kNearest, kZero, kUp, kDown };

#if defined(__x86_64__) || defined(__i386__)
#define OFFGRID_FLOAT_REGISTER "+x"
#elif defined(__aarch64__)
#define OFFGRID_FLOAT_REGISTER "+w"
#else
#define OFFGRID_FLOAT_REGISTER "+m"
#endif

/// x, as a value that no arithmetic can be merged with.
template <class Float>
[[gnu::always_inline]] inline Float unfused(Float x) noexcept {
#if defined(__clang__) && defined(__x86_64__)
  // Unlike an asm statement, a fence can be looked through by instrumentation. clang drops it where reassociation is
  // off.
#pragma clang fp reassociate(on)
  return __arithmetic_fence(x);
#else
  asm("" : OFFGRID_FLOAT_REGISTER(x));
  return x;
#endif
}

/// x, computed before and used after this point.
template <class Float>
[[gnu::always_inline]] inline Float pinned(Float x) noexcept {
  asm volatile("" : OFFGRID_FLOAT_REGISTER(x) : : "memory");
  return x;
}
#undef OFFGRID_FLOAT_REGISTER

/// While it lives, this thread rounds as `mode` says. Fibers must not switch meanwhile.
template <Round mode>
class RoundingScope {
 public:
#if defined(__x86_64__) || defined(__i386__)
  [[gnu::always_inline]] RoundingScope() noexcept : saved_(__builtin_ia32_stmxcsr()) {
    constexpr unsigned kControl = mode == Round::kDown ? 0x2000 : mode == Round::kUp ? 0x4000 : 0x6000;
    __builtin_ia32_ldmxcsr((saved_ & ~0x6000u) | (mode == Round::kNearest ? 0 : kControl));
  }
  [[gnu::always_inline]] ~RoundingScope() { __builtin_ia32_ldmxcsr(saved_); }
#else
  [[gnu::always_inline]] RoundingScope() noexcept : saved_(std::fegetround()) {
    std::fesetround(mode == Round::kDown   ? FE_DOWNWARD
                    : mode == Round::kUp   ? FE_UPWARD
                    : mode == Round::kZero ? FE_TOWARDZERO
                                           : FE_TONEAREST);
  }
  [[gnu::always_inline]] ~RoundingScope() { std::fesetround(saved_); }
#endif
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
#if defined(__x86_64__) || defined(__i386__)
  unsigned saved_;
#else
  int saved_;
#endif
};

/// A float32 result as the device writes it: every NaN of NVIDIA's float32 arithmetic is 0x7fffffff. Doubles, and AMD's
/// results, keep what the processor gives; in checked mode so does a NaN that says where it was made.
OFFGRID_UNFOLLOWED_BEGIN
inline float device_nan(float x) noexcept {
#if defined(__HIP_PLATFORM_AMD__)
  return x;
#else
#if OFFGRID_CHECKED
  if (x != x && tag_of_float(__builtin_bit_cast(std::uint32_t, x)) != 0) return x;
#endif
  return x == x ? x : __builtin_bit_cast(float, std::uint32_t{0x7fffffffu});
#endif
}
OFFGRID_UNFOLLOWED_END
inline double device_nan(double x) noexcept { return x; }

}  // namespace offgrid::emu
