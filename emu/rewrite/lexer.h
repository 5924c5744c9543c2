/// Splits preprocessed (or raw) C++ text into tokens and line markers.
#pragma once

#include <string_view>
#include <vector>

#include "rewrite/token.h"

namespace offgrid::emu::rewrite {

/// `# 12 "file.cu" 3`: the line after the marker is line 12 of that file.
struct LineMarker {
  std::uint32_t physical = 0;  ///< physical line that follows the marker, from 0
  std::uint32_t line = 1;      ///< its number in the file
  std::string_view file;       ///< as spelt in the marker, with quotes and escapes
  bool system = false;         ///< flag 3: a system header
};

struct LexedText {
  std::vector<Token> tokens;
  std::vector<LineMarker> markers;  ///< markers[0] stands for the text before the first marker
};

/// Comments, white space and directives are no tokens. `<` and `>` are always single tokens, so that `>>` may close two
/// template argument lists. Never fails: an unterminated literal ends at the end of its line, or of the text if raw.
/// `file` is the quoted name for text before the first marker.
LexedText lex(std::string_view text, std::string_view file);

}  // namespace offgrid::emu::rewrite
