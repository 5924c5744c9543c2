/// In checked mode with clang, calls of the C library's functions reach ours instead (emu/device/library_calls.cpp):
/// they do the same, and know what undefined operands make undefined. The names are changed in the object file, so that
/// every spelling is meant: `erff(x)`, `std::erf(x)`, a function pointer.
///
/// The functions that clang sees through by itself (sqrt, sin, exp, pow, fmod, floor, ...) are missing here.
#pragma once

#if OFFGRID_CHECKED == 1

#define OFFGRID_LIBRARY_CALL(name) asm(#name " = offgrid_checked_" #name);
#define OFFGRID_LIBRARY_CALLS(name) OFFGRID_LIBRARY_CALL(name) OFFGRID_LIBRARY_CALL(name##f)
OFFGRID_LIBRARY_CALLS(acos)
OFFGRID_LIBRARY_CALLS(acosh)
OFFGRID_LIBRARY_CALLS(asin)
OFFGRID_LIBRARY_CALLS(asinh)
OFFGRID_LIBRARY_CALLS(atan)
OFFGRID_LIBRARY_CALLS(atan2)
OFFGRID_LIBRARY_CALLS(atanh)
OFFGRID_LIBRARY_CALLS(cbrt)
OFFGRID_LIBRARY_CALLS(cosh)
OFFGRID_LIBRARY_CALLS(erf)
OFFGRID_LIBRARY_CALLS(erfc)
OFFGRID_LIBRARY_CALLS(exp10)
OFFGRID_LIBRARY_CALLS(expm1)
OFFGRID_LIBRARY_CALLS(fdim)
OFFGRID_LIBRARY_CALLS(frexp)
OFFGRID_LIBRARY_CALLS(hypot)
OFFGRID_LIBRARY_CALLS(ilogb)
OFFGRID_LIBRARY_CALLS(j0)
OFFGRID_LIBRARY_CALLS(j1)
OFFGRID_LIBRARY_CALLS(jn)
OFFGRID_LIBRARY_CALLS(ldexp)
OFFGRID_LIBRARY_CALLS(lgamma)
OFFGRID_LIBRARY_CALLS(llrint)
OFFGRID_LIBRARY_CALLS(llround)
OFFGRID_LIBRARY_CALLS(log1p)
OFFGRID_LIBRARY_CALLS(logb)
OFFGRID_LIBRARY_CALLS(lrint)
OFFGRID_LIBRARY_CALLS(lround)
OFFGRID_LIBRARY_CALLS(modf)
OFFGRID_LIBRARY_CALLS(nextafter)
OFFGRID_LIBRARY_CALLS(remainder)
OFFGRID_LIBRARY_CALLS(remquo)
OFFGRID_LIBRARY_CALLS(scalbln)
OFFGRID_LIBRARY_CALLS(scalbn)
OFFGRID_LIBRARY_CALLS(sincos)
OFFGRID_LIBRARY_CALLS(sinh)
OFFGRID_LIBRARY_CALLS(tan)
OFFGRID_LIBRARY_CALLS(tanh)
OFFGRID_LIBRARY_CALLS(tgamma)
OFFGRID_LIBRARY_CALLS(y0)
OFFGRID_LIBRARY_CALLS(y1)
OFFGRID_LIBRARY_CALLS(yn)
OFFGRID_LIBRARY_CALL(printf)
#undef OFFGRID_LIBRARY_CALLS
#undef OFFGRID_LIBRARY_CALL

#endif
