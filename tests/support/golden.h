/// Compares a text with a golden file. `tests/support/approve NAME` accepts a new text; its diff is then reviewed.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace offgrid::test {

/// Pairs of a path as this machine has it and the word that stands for it: {"/home/me/build", "<build>"}.
using PathNames = std::vector<std::pair<std::string, std::string>>;

/// Takes out what differs from run to run: addresses (hexadecimal numbers of 9 to 12 digits; lane masks have 8 or 16)
/// how often a recursion went round before its stack was used up (frames differ from compiler to compiler), and the
/// given paths.
inline std::string normalise(std::string text, const PathNames& paths = {}) {
  for (const auto& [path, name] : paths) {
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at + name.size())) {
      text.replace(at, path.size(), name);
    }
  }
  static const std::regex address("\\b0x[0-9a-f]{9,12}\\b");
  static const std::regex depth(", [0-9]{3} times");
  return std::regex_replace(std::regex_replace(text, address, "0x<address>"), depth, ", <many> times");
}

inline std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Empty if the normalised text equals the file; else the first line that differs and the whole text.
/// With OFFGRID_APPROVE=1 in the environment, writes the text to the file instead.
inline std::string golden_difference(const std::string& text, const std::filesystem::path& golden,
                                     const PathNames& paths = {}) {
  const std::string got = normalise(text, paths);
  const char* approve = std::getenv("OFFGRID_APPROVE");
  if (approve != nullptr && std::string(approve) == "1") {
    std::ofstream(golden, std::ios::binary) << got;
    return "";
  }
  const std::string want = read_file(golden);
  if (got == want) return "";
  std::istringstream got_lines(got), want_lines(want);
  std::string got_line, want_line;
  unsigned line = 0;
  do {
    ++line;
    if (!std::getline(got_lines, got_line)) got_line = "(end)";
    if (!std::getline(want_lines, want_line)) want_line = "(end)";
  } while (got_line == want_line && (got_lines || want_lines));
  return golden.string() + ":" + std::to_string(line) + ": differs\n  want " + want_line + "\n  got  " + got_line +
         "\n--- the whole text ---\n" + got;
}

}  // namespace offgrid::test
