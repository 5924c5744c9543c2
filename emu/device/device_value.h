/// A float function as a lane gets it: the device's bits, or where the settings say `fast` the C library's value.
#pragma once

#include <offgrid/emu/engine/lane.h>
#include <offgrid/emu/numerics/exact.h>

namespace offgrid::emu {

/// Whether the checks look for the places where NaNs are made (check/numerics/nan_trap.h): then invalid operations
/// trap.
inline bool traces_nans() {
#if defined(__x86_64__)
  constexpr unsigned kInvalidMask = 1u << 7;
  return (__builtin_ia32_stmxcsr() & kInvalidMask) == 0;
#else
  return false;
#endif
}

/// Where NaNs are traced, one that is handed on keeps its payload, which says where it was made, and a new one is made
/// where the checks look for it: inside the C library.
template <class Library, class... Floats>
[[gnu::noinline]] float traced_nan(Library library, float result, Floats... operands) {
  if (((operands != operands) || ...)) return (operands + ...);
  const float made = library(operands...);
  return made != made ? made : result;
}

/// exact(operands...) on a lane, library(operands...) in host code.
template <class Exact, class Library, class... Floats>
[[gnu::always_inline]] inline float device_value(Exact exact, Library library, Floats... operands) {
  if (offgrid_tls.lane == nullptr || !exact_numerics()) return library(operands...);
  const float result = exact(operands...);
  if (result != result && traces_nans()) [[unlikely]]
    return traced_nan(library, result, operands...);
  return result;
}

}  // namespace offgrid::emu
