/// Where clang's kernel-memory instrumentation hands the marks of arguments and results from caller to callee. The
/// layout is the compiler's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace offgrid::emu::check {

inline constexpr std::size_t kSlotBytes = 800;

struct ContextState {
  unsigned char parameters[kSlotBytes];  ///< 8-byte aligned, in order
  unsigned char result[kSlotBytes];
  unsigned char variadic[kSlotBytes];
  unsigned char variadic_origins[kSlotBytes];
  std::uint64_t variadic_overflow;
  std::uint32_t parameter_origins[kSlotBytes / 4];
  std::uint32_t result_origin;
};
static_assert(offsetof(ContextState, parameter_origins) == 3208 && offsetof(ContextState, result_origin) == 4008);

/// Lanes change only inside calls that are not instrumented, so one for each OS thread is enough.
inline ContextState& context() {
  static thread_local ContextState state;
  return state;
}

/// The marks of the nth argument, an integer of 8 bytes, at the entry of a function that instrumented code called.
inline std::uint64_t argument_shadow(unsigned n) {
  std::uint64_t bits;
  std::memcpy(&bits, context().parameters + 8 * n, 8);
  return bits;
}
inline std::uint32_t argument_origin(unsigned n) { return context().parameter_origins[2 * n]; }

/// The marks of the value about to be returned.
inline void set_result(std::uint64_t shadow, std::uint32_t origin) {
  std::memcpy(context().result, &shadow, 8);
  context().result_origin = origin;
}

/// Before code that is not instrumented calls code that is: the arguments are defined.
inline void clear_arguments() { std::memset(context().parameters, 0, 64); }

}  // namespace offgrid::emu::check
