#include "cli/cc/usage.h"

#include <offgrid/emu/device_profile.h>

#include "cli/version.h"

namespace offgrid::emu::cli {

std::string help_text() {
  return R"(usage: offgrid cc [FLAGS] FILES...      (also: offgrid-nvcc, offgrid-hipcc)

Compiles CUDA (.cu) and HIP (.hip) sources for the emulator and links them. Takes nvcc's flags; .cpp, .cc and .c files
are compiled as they are, .o, .a and .so files are linked.

  -o FILE                 name of the result
  -c, -dc                 compile only
  -E, --rewrite           print the preprocessed, or the rewritten text
  -arch sm_90|gfx1030|... device profile of the program (-gencode and --offload-arch too); one without a profile counts as
                          the nearest older one
  -I -isystem -include -D -U -std -O0..-O3 -g -G -w -MD -MMD -MF -MT   as nvcc has them
  -x cu|hip|c++|c         language of the files that follow
  -l -L -Xlinker -shared -lib                                          linking
  -Xcompiler LIST         flags for the host compiler
  -use_fast_math -ftz -fmad -prec-div -prec-sqrt -rdc                  arithmetic, separate compilation
  --checked               every access of a kernel is checked: bounds, races, values that nobody wrote
  --fuzz                  schedule policies (OFFGRID_SCHEDULE, offgrid fuzz) may switch at every access; needs clang
  -v, --dryrun, --keep    show the steps, only show them, keep the files between them
  -t N                    compile N files at a time (default: one a core)
  --options-file FILE     more flags from a file

Flags for ptxas, cudafe and nvlink are accepted and have no effect. OFFGRID_CXX names another host compiler;
OFFGRID_CHECKED=1 means --checked, for build systems that pass no flags. Both are read when compiling.
)";
}

std::string version_text(Dialect dialect) {
  const std::string version = kVersion;
  if (dialect == Dialect::kHip) return "HIP version: 6.0.0-offgrid\noffgrid cc " + version + "\n";
  return "offgrid cc " + version + ": compiles CUDA programs for the emulator, in nvcc's place\n" +
         "Cuda compilation tools, release 13.0, V13.0.0\n";
}

std::string architectures_text(std::string_view prefix) {
  std::string text;
  for (const DeviceProfile& p : device_profiles()) {
    if (p.name.starts_with("sm_")) text += std::string(prefix) + std::string(p.name.substr(3)) + "\n";
  }
  return text;
}

}  // namespace offgrid::emu::cli
