/// A failing trial made small: the shape first, then the schedule.
#pragma once

#include <offgrid/fuzz/trial.h>

namespace offgrid::fuzz {

struct ShrinkLimits {
  std::uint64_t schedules_per_shape = 300;  ///< tried before a smaller shape counts as one that does not fail
  std::uint64_t runs = 20000;               ///< in all
};

/// A trial that fails in the same way: the smallest shape found, and a list of as few switches as possible. A failure
/// that needs no particular schedule ends with an empty list.
Trial shrink(const Trial& failing, const ShrinkLimits& limits = {});

/// The interleaving told switch by switch: who ran up to which line, and who went on there.
std::string story(const Trial& trial);

/// The same as a trace that chrome://tracing and Perfetto show: one row a thread, one microsecond a point.
std::string chrome_trace(const Trial& trial);

}  // namespace offgrid::fuzz
