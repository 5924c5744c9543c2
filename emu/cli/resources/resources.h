/// `offgrid resources`: what every kernel takes of every device, against a table under version control.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cli/resources/device_compilers.h"

namespace offgrid::emu::cli {

/// The command. 0: as the baseline says; 1: a change, a warning, or a source that does not compile; 2: wrong usage.
int run_resources(std::span<char*> arguments);

struct ResourcesOptions {
  bool help = false;
  bool accept = false;               ///< write the baseline
  std::vector<std::string> targets;  ///< all if empty
  std::string only;                  ///< part of the names of the sources
  std::string list, baseline;        ///< files other than the build's
  std::string nvcc, hip_clang;       ///< compilers other than those found
  unsigned jobs = 0;                 ///< compilations at a time; 0: one a core
};

/// errors  UsageError
ResourcesOptions read_resources_options(const std::vector<std::string>& words);

/// The command's work, once it is known what to compile with what. Compilers that are missing are skipped.
int report_resources(const ResourcesOptions& options, const KernelList& list,
                     const std::vector<DeviceCompiler>& compilers);

}  // namespace offgrid::emu::cli
