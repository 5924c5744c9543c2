/// What the environment says about reports.
#pragma once

#include <offgrid/emu/report.h>

namespace offgrid::emu {

/// From OFFGRID_REPORT, OFFGRID_WAIVERS, OFFGRID_MAX_FINDINGS, OFFGRID_FAIL_ON, OFFGRID_COLOR, NO_COLOR and TERM.
/// Report files are absolute, so that they stay where they are if the program changes its folder.
/// errors  std::runtime_error that names the variable, its value and the rule, or the line of a waiver file.
ReporterOptions options_from_environment();

}  // namespace offgrid::emu
