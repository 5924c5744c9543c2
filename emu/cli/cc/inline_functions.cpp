#include "cli/cc/inline_functions.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace offgrid::emu::cli {
namespace {

struct Symbol {
  std::string value, flags, section, name;
};

/// `VALUE FLAGS SECTION\tSIZE [.hidden] NAME`; the flags are seven characters, some of them blank.
std::optional<Symbol> parse(const std::string& line) {
  constexpr std::size_t kFlags = 7;
  const std::size_t space = line.find(' '), tab = line.find('\t');
  if (space == line.npos || tab == line.npos || tab < space + kFlags + 2) return std::nullopt;
  return Symbol{line.substr(0, space), line.substr(space + 1, kFlags),
                line.substr(space + kFlags + 2, tab - space - kFlags - 2), line.substr(line.rfind(' ') + 1)};
}

/// Functions that may occur in several objects have a section of their own name. Others that are weak can be replaced
/// by their user, and stay as they are.
bool is_inline_function(const Symbol& s) {
  return s.flags.find('w') != std::string::npos && s.flags.find('F') != std::string::npos &&
         s.section.starts_with(".text") && s.section.find("._Z") != std::string::npos;
}

/// The name by which linkers recognise copies, where it is not a function's own.
bool is_group_name(const Symbol& s) { return s.section == ".group"; }

/// Nobody instantiates functions of the standard library or of ours for other objects.
bool is_library_name(std::string_view name) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{"_ZNSt", "_ZNKSt", "_ZSt", "_ZN9__gnu_cxx",
                                                                     "_ZNK9__gnu_cxx", "_ZN7offgrid", "_ZNK7offgrid"},
                             [&](std::string_view start) { return name.starts_with(start); });
}

}  // namespace

std::string separate_inline_functions(std::string_view symbols) {
  std::string options;
  std::istringstream lines{std::string(symbols)};
  for (std::string line; std::getline(lines, line);) {
    const std::optional<Symbol> s = parse(line);
    if (!s || !(is_inline_function(*s) || is_group_name(*s))) continue;
    options += "--redefine-sym " + s->name + "=" + s->name + ".checked\n";
    if (is_group_name(*s) || is_library_name(s->name)) continue;
    options += "--add-symbol " + s->name + "=" + s->section + ":0x" + s->value + ",weak,function\n";
  }
  return options;
}

}  // namespace offgrid::emu::cli
