/// A finding as one JSON object, for programs. README.md lists the fields.
#pragma once

#include <offgrid/emu/report.h>

#include <string>
#include <vector>

#include "report/resolved_site.h"

namespace offgrid::emu {

/// "program":"NAME": several programs may write to one file.
std::string program_field();

/// `"kernel":...,"grid":...,...`: the members of a place.
std::string place_members(const LaunchPlace& place);

/// json_line with the sites already resolved. `waiver` is null for a finding that is not waived.
std::string json_resolved(const Finding& finding, const std::vector<ResolvedSite>& sites, const FormatOptions& options,
                          const Waiver* waiver);

}  // namespace offgrid::emu
