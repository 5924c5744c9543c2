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

std::span<const StoredFunction> special_function_forms();  ///< functions 0 .. 14: PTX instructions

}  // namespace offgrid::test
