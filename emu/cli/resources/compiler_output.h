/// Reads what nvcc (-Xptxas -v) and clang (-Rpass-analysis=kernel-resource-usage) say about kernels.
#pragma once

#include <string>
#include <vector>

#include "cli/resources/kernel_figures.h"

namespace offgrid::emu::cli {

struct CompilerOutput {
  std::vector<KernelFigures> kernels;  ///< in the order of the text
  std::vector<std::string> warnings;   ///< lines of any compiler, host compilers and ptxas included
};

/// `text` is both output streams of a compilation of `source` for gfx1030 by clang.
/// errors  std::runtime_error that names the kernel if one of its figures is missing
CompilerOutput read_clang_output(const std::string& text, const std::string& source, const std::string& target);

/// The same of nvcc; the output names the targets.
CompilerOutput read_nvcc_output(const std::string& text, const std::string& source);

}  // namespace offgrid::emu::cli
