/// Tokens of C++ text, as much as the rewriter needs: brackets know their partners, and each token knows its line.
#pragma once

#include <cstdint>

namespace offgrid::emu::rewrite {

using Index = std::uint32_t;  ///< of a token
inline constexpr Index kNone = ~Index{0};

enum class TokenKind : std::uint8_t { kIdentifier, kNumber, kString, kCharacter, kSymbol };

struct Token {
  std::uint32_t begin = 0, end = 0;  ///< byte offsets into the text
  std::uint32_t line = 0;            ///< physical line, from 0
  std::uint32_t marker = 0;          ///< the line marker in force, an index into SourceText::markers()
  Index partner = kNone;             ///< of ( [ { } ] ): the other end
  Index brace = kNone;               ///< innermost `{` around this token
  TokenKind kind = TokenKind::kSymbol;
  char symbol = 0;  ///< the character of a one-character symbol, digraphs translated; 0 for longer symbols
};

}  // namespace offgrid::emu::rewrite
