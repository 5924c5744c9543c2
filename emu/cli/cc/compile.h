/// One source to one object: preprocess, rewrite, compile.
#pragma once

#include <offgrid/emu/device_profile.h>

#include <string>
#include <vector>

#include "cli/cc/checked.h"
#include "cli/cc/options.h"
#include "cli/cc/toolchain.h"
#include "cli/cc/workspace.h"

namespace offgrid::emu::cli {

/// What all compilations of one command line share.
struct CompileJob {
  const CcOptions& options;
  const Toolchain& toolchain;
  const Workspace& workspace;
  const DeviceProfile& profile;
  Checking checking = Checking::kOff;  ///< of kernels; host sources are never instrumented
};

/// Compiles input `index` to `object`. Diagnostics of the host compiler go to the file `stderr_path` if not empty.
/// Returns 0, or the exit code of the step that failed.
int compile_input(const CompileJob& job, std::size_t index, const std::string& object, const std::string& stderr_path);

/// -E, --rewrite, -M: writes text to options.output or standard output.
int print_input(const CompileJob& job, std::size_t index);

/// Runs or, with -dryrun, only shows a command.
int run_step(const CcOptions& options, const std::vector<std::string>& command, const std::string& stderr_path = {});

}  // namespace offgrid::emu::cli
