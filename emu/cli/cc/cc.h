/// `offgrid cc`: compiles and links CUDA and HIP programs for the emulator, in nvcc's and hipcc's place.
#pragma once

#include <span>

namespace offgrid::emu::cli {

/// nvcc's command line; arguments[0] is the name it was called by. Returns the exit code: 1 if compiling or linking
/// failed, 2 for wrong flags or a broken installation.
int run_cc(std::span<char*> arguments);

/// The same with hipcc's conventions: HIP macros, gfx1030, .cpp files are HIP.
int run_hipcc(std::span<char*> arguments);

}  // namespace offgrid::emu::cli
