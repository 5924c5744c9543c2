#include "cli/resources/compiler_output.h"

#include <algorithm>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace offgrid::emu::cli {
namespace {

constexpr long kMissing = -1;

/// "x.cu(3): warning #177-D: ...", "a.h:3:5: warning: ...", "ptxas warning : ...", but not "1 warning generated."
bool is_warning(const std::string& line) {
  static const std::regex pattern("\\bwarning\\s*[:#]");
  return std::regex_search(line, pattern);
}

/// The number behind `label`, if the line has the label.
std::optional<long> number_behind(const std::string& line, std::string_view label) {
  const std::size_t at = line.find(label);
  if (at == std::string::npos) return std::nullopt;
  return std::stol(line.substr(at + label.size()));
}

/// The number before `label`: "0 bytes stack frame".
std::optional<long> number_before(const std::string& line, const char* label) {
  std::smatch match;
  if (!std::regex_search(line, match, std::regex(std::string("([0-9]+) ") + label))) return std::nullopt;
  return std::stol(match[1]);
}

void set(KernelFigures& kernel, std::size_t index, std::optional<long> value) {
  if (value) kernel.figures[index] = *value;
}

KernelFigures unknown_figures(std::string target, std::string source, const std::string& mangled) {
  const std::size_t count = figure_names(target).size();
  return {std::move(target), std::move(source), readable_kernel_name(mangled), std::vector<long>(count, kMissing)};
}

void require_all_figures(const CompilerOutput& output) {
  for (const KernelFigures& k : output.kernels) {
    const auto missing = std::ranges::find(k.figures, kMissing);
    if (missing == k.figures.end()) continue;
    const auto index = static_cast<std::size_t>(missing - k.figures.begin());
    throw std::runtime_error("the compiler's output for " + k.target + " does not tell '" +
                             std::string(figure_names(k.target)[index]) + "' of " + k.kernel + " (" + k.source + ")");
  }
}

void read_clang_line(const std::string& line, KernelFigures& kernel) {
  constexpr std::string_view kLabels[] = {" VGPRs: ",
                                          " SGPRs: ",
                                          " ScratchSize [bytes/lane]: ",
                                          " LDS Size [bytes/block]: ",
                                          " Occupancy [waves/SIMD]: ",
                                          " VGPRs Spill: ",
                                          " SGPRs Spill: "};
  for (std::size_t i = 0; i < std::size(kLabels); ++i) set(kernel, i, number_behind(line, kLabels[i]));
}

void read_ptxas_line(const std::string& line, KernelFigures& kernel) {
  if (const auto registers = number_before(line, "registers")) {
    kernel.figures[0] = *registers;
    kernel.figures[1] = number_before(line, "bytes smem").value_or(0);  // not said if there is none
  }
  set(kernel, 2, number_before(line, "bytes stack frame"));
  set(kernel, 3, number_before(line, "bytes spill stores"));
  set(kernel, 4, number_before(line, "bytes spill loads"));
}

}  // namespace

CompilerOutput read_clang_output(const std::string& text, const std::string& source, const std::string& target) {
  static const std::regex start("remark:.*Function Name: (\\S+)");
  CompilerOutput output;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, start)) {
      output.kernels.push_back(unknown_figures(target, source, match[1]));
    } else if (line.find("[-Rpass-analysis=kernel-resource-usage]") != std::string::npos && !output.kernels.empty()) {
      read_clang_line(line, output.kernels.back());
    } else if (is_warning(line)) {
      output.warnings.push_back(line);
    }
  }
  require_all_figures(output);
  return output;
}

CompilerOutput read_nvcc_output(const std::string& text, const std::string& source) {
  static const std::regex start("ptxas info +: Compiling entry function '([^']+)' for '([^']+)'");
  static const std::regex properties("ptxas info +: Function properties for (\\S+)");
  CompilerOutput output;
  bool in_kernel = false;  // a device function that is not inlined has properties of its own
  std::string entry;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, start)) {
      entry = match[1];
      in_kernel = true;
      output.kernels.push_back(unknown_figures(match[2], source, entry));
    } else if (std::regex_search(line, match, properties)) {
      in_kernel = match[1] == entry;
    } else if (is_warning(line)) {
      output.warnings.push_back(line);
    } else if (line.starts_with("ptxas info") && line.find("Used ") != std::string::npos && !output.kernels.empty()) {
      read_ptxas_line(line, output.kernels.back());
    } else if (in_kernel) {
      read_ptxas_line(line, output.kernels.back());
    }
  }
  require_all_figures(output);
  return output;
}

}  // namespace offgrid::emu::cli
