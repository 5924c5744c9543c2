/// Rewriting in one line, for tests that compare text with text.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "rewrite/rewrite.h"

namespace offgrid::emu::rewrite {

/// The rewritten text; for text that is refused, "line: message". The file is "k.cu", names stay visible to other
/// files.
inline std::string rewritten(std::string_view text) {
  const RewriteResult result =
      rewrite(text, {.file = "k.cu", .folder = "", .whole_program = false, .native_folders = {"/native"}});
  if (result.errors.empty()) return result.text;
  return std::to_string(result.errors[0].line) + ": " + result.errors[0].message;
}

/// The same, as nvcc compiles without -rdc.
inline std::string rewritten_alone(std::string_view text) {
  return rewrite(text, {.file = "k.cu", .folder = "", .whole_program = true, .native_folders = {}}).text;
}

inline long lines(std::string_view text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace offgrid::emu::rewrite
