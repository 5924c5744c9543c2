// How long MLA decode takes: two stages with one split against the direct path, over the shapes that peers were
// measured on.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "timing/timing_report.h"

namespace offgrid::timing {

struct MlaDecodeTimingOptions {
  std::vector<int> heads = {16, 128};
  std::vector<std::string> caches = {"bf16", "e4m3"};
  std::vector<std::pair<int, int>> shapes{};  ///< batch x tokens; empty: mla_decode_shapes()
  bool scalar = false;                        ///< the scalar inner path also where there are matrix units
  int calls = 20;
  int blocks = 12;
};

/// The 15 shapes that peers were measured on: batch {1, 8, 32, 64} x {128, 512, 1023} tokens and 128 x 512; 32 x 2048
/// and 64 x 4096 as controls, forced to one split.
std::vector<std::pair<int, int>> mla_decode_shapes();

/// Measures each shape in a graph (output zeroed in it, as production does), launched one by one, and the host's part;
/// calls `done` after each row. Throws std::runtime_error if direct and two stages differ in a bit, or give NaN.
/// errors  std::invalid_argument for options without meaning
void time_mla_decode(const MlaDecodeTimingOptions& options, TimingReport& report,
                     const std::function<void(const TimingRow&)>& done);

}  // namespace offgrid::timing
