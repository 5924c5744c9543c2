/// A finding as one JSON object, for programs. README.md lists the fields.
#pragma once

#include <offgrid/emu/report.h>

#include <string>
#include <vector>

#include "report/resolved_site.h"

namespace offgrid::emu {

/// `text` in quotes, escaped.
std::string json_string(const std::string& text);

/// "program":"NAME": several programs may write to one file.
std::string program_field();

/// json_line with the sites already resolved.
std::string json_resolved(const Finding& finding, const std::vector<ResolvedSite>& sites, const FormatOptions& options);

}  // namespace offgrid::emu
