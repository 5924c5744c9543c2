/// Who did what, in words: the sides of a finding.
#pragma once

#include <offgrid/emu/finding.h>

#include <string>

#include "check/records.h"

namespace offgrid::emu::check {

/// "thread (3, 0, 0) warp 0 lane 3"; with the block in front if `block` is set.
std::string lane_text(const ResidentBlock& block, unsigned thread);

/// The lane of a segment, which may belong to a block that is long gone: "block (2, 0, 0) thread (3, 0, 0) warp 0 lane
/// 3".
std::string actor_text(const ResidentBlock& shape, const Segment& segment, unsigned thread, bool with_block);

/// The value in memory, as a number of that size: "0.7310" if it is a plausible float, else the integer.
std::string value_text(std::uintptr_t address, std::size_t bytes, const std::string& type);

}  // namespace offgrid::emu::check
