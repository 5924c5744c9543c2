/// What `offgrid cc --help` and `--version` say.
#pragma once

#include <string>

#include "cli/cc/options.h"

namespace offgrid::emu::cli {

std::string help_text();
std::string version_text(Dialect dialect);

}  // namespace offgrid::emu::cli
