// The C library's functions as kernels in checked mode call them (device/library_calls.h): the result is undefined if
// any operand is, and so is what they write through pointers; such writes are checked as the kernel's own.
#include <cmath>
#include <type_traits>

#include "check/access.h"
#include "device/float_calls.h"
#include "device/taint.h"

namespace offgrid::emu {
namespace {

template <class... Arguments>
Taint taint_of_arguments(const Arguments&...) {
  Taint taint;
  unsigned n = 0;
  // What a pointer leads to is written, not read; an undefined pointer is found by the access.
  ((std::is_pointer_v<Arguments> ? void() : taint.add_argument(n, sizeof(Arguments)), ++n), ...);
  return taint;
}

template <class Argument>
void check_write(Argument argument, std::uintptr_t pc) {
  if constexpr (std::is_pointer_v<Argument>) {
    const auto address = reinterpret_cast<std::uintptr_t>(argument);
    check::check_range({address, sizeof *argument, check::AccessKind::kWrite, pc, offgrid_tls.lane});
  }
}

template <class Argument>
void mark_written(const Taint& taint, Argument argument) {
  if constexpr (std::is_pointer_v<Argument>) taint.wrote(argument, sizeof *argument);
}

template <class Function, class... Arguments>
[[gnu::always_inline]] inline auto checked_call(Function function, Arguments... arguments) {
  if (!offgrid_tls.lane) return function(arguments...);
  const Taint taint = taint_of_arguments(arguments...);
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  (check_write(arguments, pc), ...);
  if constexpr (std::is_void_v<decltype(function(arguments...))>) {
    function(arguments...);
    (mark_written(taint, arguments), ...);
  } else {
    const auto result = function(arguments...);
    (mark_written(taint, arguments), ...);
    taint.set_result();
    return result;
  }
}

}  // namespace
}  // namespace offgrid::emu

extern "C" {
#define OFFGRID_CALL1(Result, name, A)                                             \
  Result offgrid_checked_##name(A a) noexcept {                                    \
    return offgrid::emu::checked_call([](A x) -> Result { return ::name(x); }, a); \
  }
#define OFFGRID_CALL2(Result, name, A, B)                                                     \
  Result offgrid_checked_##name(A a, B b) noexcept {                                          \
    return offgrid::emu::checked_call([](A x, B y) -> Result { return ::name(x, y); }, a, b); \
  }
#define OFFGRID_CALL3(Result, name, A, B, C)                                                             \
  Result offgrid_checked_##name(A a, B b, C c) noexcept {                                                \
    return offgrid::emu::checked_call([](A x, B y, C z) -> Result { return ::name(x, y, z); }, a, b, c); \
  }
// Of double, and in f of float; the float form may be the device's (device/float_calls.cpp).
#define OFFGRID_DEVICE_UNARY(name)                                                                      \
  OFFGRID_CALL1(double, name, double)                                                                   \
  float offgrid_checked_##name##f(float a) noexcept {                                                   \
    return offgrid::emu::checked_call([](float x) -> float { return offgrid_device_##name##f(x); }, a); \
  }
#define OFFGRID_DEVICE_BINARY(name)                                                                                    \
  OFFGRID_CALL2(double, name, double, double)                                                                          \
  float offgrid_checked_##name##f(float a, float b) noexcept {                                                         \
    return offgrid::emu::checked_call([](float x, float y) -> float { return offgrid_device_##name##f(x, y); }, a, b); \
  }
#define OFFGRID_UNARY(name) OFFGRID_CALL1(double, name, double) OFFGRID_CALL1(float, name##f, float)
#define OFFGRID_BINARY(name) OFFGRID_CALL2(double, name, double, double) OFFGRID_CALL2(float, name##f, float, float)
#define OFFGRID_TO_INTEGER(name, Integer) \
  OFFGRID_CALL1(Integer, name, double)    \
  OFFGRID_CALL1(Integer, name##f, float)
#define OFFGRID_WITH_INTEGER(name, Integer)    \
  OFFGRID_CALL2(double, name, double, Integer) \
  OFFGRID_CALL2(float, name##f, float, Integer)

OFFGRID_DEVICE_UNARY(acos)
OFFGRID_DEVICE_UNARY(acosh)
OFFGRID_DEVICE_UNARY(asin)
OFFGRID_DEVICE_UNARY(asinh)
OFFGRID_DEVICE_UNARY(atan)
OFFGRID_DEVICE_UNARY(atanh)
OFFGRID_DEVICE_UNARY(cbrt)
OFFGRID_DEVICE_UNARY(cosh)
OFFGRID_DEVICE_UNARY(erf)
OFFGRID_DEVICE_UNARY(erfc)
OFFGRID_DEVICE_UNARY(exp10)
OFFGRID_DEVICE_UNARY(expm1)
OFFGRID_UNARY(j0)
OFFGRID_UNARY(j1)
OFFGRID_DEVICE_UNARY(lgamma)
OFFGRID_DEVICE_UNARY(log1p)
OFFGRID_UNARY(logb)
OFFGRID_DEVICE_UNARY(sinh)
OFFGRID_DEVICE_UNARY(tan)
OFFGRID_DEVICE_UNARY(tanh)
OFFGRID_DEVICE_UNARY(tgamma)
OFFGRID_UNARY(y0)
OFFGRID_UNARY(y1)
OFFGRID_DEVICE_BINARY(atan2)
OFFGRID_BINARY(fdim)
OFFGRID_DEVICE_BINARY(hypot)
OFFGRID_BINARY(nextafter)
OFFGRID_BINARY(remainder)
OFFGRID_TO_INTEGER(ilogb, int)
OFFGRID_TO_INTEGER(llrint, long long)
OFFGRID_TO_INTEGER(llround, long long)
OFFGRID_TO_INTEGER(lrint, long)
OFFGRID_TO_INTEGER(lround, long)
OFFGRID_WITH_INTEGER(ldexp, int)
OFFGRID_WITH_INTEGER(scalbn, int)
OFFGRID_WITH_INTEGER(scalbln, long)
OFFGRID_CALL2(double, jn, int, double)
OFFGRID_CALL2(float, jnf, int, float)
OFFGRID_CALL2(double, yn, int, double)
OFFGRID_CALL2(float, ynf, int, float)
OFFGRID_WITH_INTEGER(frexp, int*)
OFFGRID_CALL2(double, modf, double, double*)
OFFGRID_CALL2(float, modff, float, float*)
OFFGRID_CALL3(double, remquo, double, double, int*)
OFFGRID_CALL3(float, remquof, float, float, int*)
OFFGRID_CALL3(void, sincos, double, double*, double*)
void offgrid_checked_sincosf(float a, float* b, float* c) noexcept {
  offgrid::emu::checked_call([](float x, float* s, float* k) { offgrid_device_sincosf(x, s, k); }, a, b, c);
}
}
