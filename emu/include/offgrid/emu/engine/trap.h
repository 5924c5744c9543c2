/// Ends the running launch from inside a lane, with a finding.
#pragma once

#include <offgrid/emu/finding.h>

#include <string>

namespace offgrid::emu {

/// Adds the finding, with this lane as its place, and abandons the launch. Outside a kernel: prints and aborts.
[[noreturn]] void lane_trap(FindingId id, std::string headline, SourceLine where = {});

/// Adds the finding, with this lane as its place, and returns.
void lane_report(FindingId id, std::string headline, SourceLine where = {});

}  // namespace offgrid::emu
