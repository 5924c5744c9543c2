/// Paths and source lines as a report shows them.
#pragma once

#include <string>

namespace offgrid::emu {

/// `path` relative to `base` if it lies below it, else as it is. An empty base changes nothing.
std::string display_path(const std::string& path, const std::string& base);

/// Line `line` (from 1) of `file`, read relative to `base` if the path is relative; tabs widened, trailing space cut,
/// long lines shortened. Empty if the file or the line does not exist or the line is blank.
std::string source_line_text(const std::string& file, unsigned line, const std::string& base);

/// "142 |   row[i] = 0;\n", or nothing if the line cannot be shown.
std::string source_excerpt(const std::string& file, unsigned line, const std::string& base);

}  // namespace offgrid::emu
