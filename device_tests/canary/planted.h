// A small kernel with a defect to choose, for the tests of what the runner sees on a real device.
#pragma once

namespace offgrid::canary {

enum class Defect {
  kNone,
  kWritesBehind,   ///< one element behind the last
  kWritesBefore,   ///< one element before the first
  kLeavesOut,      ///< element 5 is not written
  kReadsBehind,    ///< element 3 takes one element behind the last of the input into account
  kWritesTheLast,  ///< none: the last element is written twice, inside the buffer
};

/// out[i] = 2 in[i] for n elements of 4, 2 or 1 bytes: fp32, bf16, e4m3.
void launch_planted(int element_bytes, const void* in, void* out, int n, Defect defect);

}  // namespace offgrid::canary
