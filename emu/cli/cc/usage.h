/// What `offgrid cc --help` and `--version` say.
#pragma once

#include <string>
#include <string_view>

#include "cli/cc/options.h"

namespace offgrid::emu::cli {

std::string help_text();
std::string version_text(Dialect dialect);
/// The capabilities that have a device profile, one a line behind `prefix`: "sm_90".
std::string architectures_text(std::string_view prefix);

}  // namespace offgrid::emu::cli
