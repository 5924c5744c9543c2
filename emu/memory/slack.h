/// Slack: bytes of an allocation's own pages that do not belong to it. They cannot fault, so they carry a pattern that
/// is checked when the allocation is freed.
#pragma once

#include <cstdint>

namespace offgrid::emu {

/// Fills [begin, end) with FE FF FE FF ... by address: NaN for an aligned read as half, bf16, float or double, and
/// unlike the poison (and the -1 that programs like to store), so that an overwrite shows.
void fill_slack(std::uintptr_t begin, std::uintptr_t end);

bool slack_is_intact(std::uintptr_t begin, std::uintptr_t end);

}  // namespace offgrid::emu
