/// PTX text to a Program.
#pragma once

#include <offgrid/emu/ptx/execute.h>

#include <memory>
#include <string_view>

#include "ptx/program.h"

namespace offgrid::emu::ptx {

/// Text that is no PTX becomes a single instruction without a handler, so that it is reported when it is executed.
std::unique_ptr<Program> parse(std::string_view text, const AsmOperand* operands, unsigned count);

}  // namespace offgrid::emu::ptx
