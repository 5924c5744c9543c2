/// A finding as text, for people.
#pragma once

#include <offgrid/emu/report.h>

#include <string>
#include <string_view>
#include <vector>

#include "report/resolved_site.h"

namespace offgrid::emu {

/// "error", "warning", "note".
std::string_view severity_name(Severity severity);

/// format_finding with the sites already resolved.
std::string format_resolved(const Finding& finding, const std::vector<ResolvedSite>& sites,
                            const FormatOptions& options);

}  // namespace offgrid::emu
