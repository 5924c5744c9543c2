/// Sums of floats by atomics: whether the order of the additions shows in the result.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/state.h"

namespace offgrid::emu::check {

/// A lane is about to add `value` to the float32 (4 bytes) or float64 (8) at `address`.
void note_float_add(const Lane& lane, std::uintptr_t address, double value, std::size_t bytes, std::uintptr_t pc);

/// The launch is over: adds what each location got in other orders of the blocks, and reports locations whose result
/// differs.
void check_float_sums(const LaunchState& launch);

}  // namespace offgrid::emu::check
