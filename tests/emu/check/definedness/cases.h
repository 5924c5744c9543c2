/// Kernels that pass the values of one buffer through one device function, each its own.
#pragma once

#include <vector>

namespace offgrid::emu::test {

enum class Input {
  kDefined,  ///< written by the host
  kMasked,   ///< never written, and the result is masked away
  kUsed,     ///< never written, and the result reaches the host
};

/// What of an undefined operand is used.
enum class Use {
  kResult,   ///< nothing, if the result is not
  kOperand,  ///< the operand: that the result is masked away is too late
  kNothing,  ///< the result is defined all the same
};

struct DefinednessCase {
  const char* name;
  void (*run)(Input);
  Use use;
};

std::vector<DefinednessCase> lane_cases();
std::vector<DefinednessCase> math_cases();
std::vector<DefinednessCase> memory_cases();
std::vector<DefinednessCase> number_cases();
std::vector<DefinednessCase> ptx_cases();
std::vector<DefinednessCase> use_cases();

}  // namespace offgrid::emu::test
