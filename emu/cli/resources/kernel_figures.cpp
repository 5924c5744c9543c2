#include "cli/resources/kernel_figures.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <regex>

namespace offgrid::emu::cli {
namespace {

constexpr std::string_view kAmdFigures[] = {"vgprs",     "sgprs",       "scratch",    "lds",
                                            "occupancy", "vgpr_spills", "sgpr_spills"};
constexpr std::string_view kNvidiaFigures[] = {"registers", "shared", "stack", "spill_stores", "spill_loads"};

/// "void f<A>(B)" to "f<A>": the last bracket at depth 0 opens the parameters.
std::string without_parameters(const std::string& name) {
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) return name.substr(0, i);
  }
  return name;
}

}  // namespace

std::span<const std::string_view> figure_names(std::string_view target) {
  if (target.starts_with("gfx")) return kAmdFigures;
  return kNvidiaFigures;
}

std::string readable_kernel_name(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0) return mangled;
  std::string name = without_parameters(text.get());
  static const std::regex qualifier("(\\(anonymous namespace\\)::|[A-Za-z_][A-Za-z0-9_]*::)");
  name = std::regex_replace(name, qualifier, "");
  if (name.starts_with("void ")) name.erase(0, 5);
  return name;
}

}  // namespace offgrid::emu::cli
