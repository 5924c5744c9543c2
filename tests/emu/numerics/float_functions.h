/// Float functions whose device results are stored, in the order of the file of sums.
#pragma once

#include <span>

#include "function_sums.h"

namespace offgrid::test {

struct StoredFunction {
  const char* name;
  FloatFunction exact;  ///< what must give the device's bits
  FloatFunction naive;  ///< a form that is nearly right, and must not
};

std::span<const StoredFunction> special_function_forms();  ///< 0 .. 14: PTX instructions
std::span<const StoredFunction> fast_functions();          ///< 15 .. 27: __expf and other intrinsics
std::span<const StoredFunction> library_functions();       ///< 28 .. 61: expf and its kin
inline constexpr unsigned kFirstFast = 15, kFirstLibrary = 28;

}  // namespace offgrid::test
