/// Checked mode: keeps the inline functions of instrumented objects apart from those of other objects.
///
/// Of an inline function or an instance of a template, the linker keeps the copy that it meets first. Kernels would
/// then call the copy of a host file, whose accesses nobody sees, and the checks, which use the standard library, would
/// call themselves through the instrumented copy of a kernel file. So copies in instrumented objects get another name.
/// The old one remains beside it for objects that count on an explicit instantiation here.
#pragma once

#include <string>
#include <string_view>

namespace offgrid::emu::cli {

/// Options for objcopy, one a line, from the object's symbols as `objdump -tw` prints them.
std::string separate_inline_functions(std::string_view symbols);

}  // namespace offgrid::emu::cli
