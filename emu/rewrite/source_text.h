/// Text with its tokens: what every pass reads. Brackets are matched, places are known.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "rewrite/lexer.h"

namespace offgrid::emu::rewrite {

/// A place in the original file.
struct Place {
  std::string_view file;  ///< quoted and escaped, as in the line marker: usable as a string literal
  unsigned line = 0;
  bool system = false;
};

/// Text that cannot be rewritten. Becomes `file:line: error: message`.
struct RewriteError : std::runtime_error {
  RewriteError(Place where, const std::string& message) : std::runtime_error(message), place(where) {}
  Place place;
};

/// Text as it stands between the quotes of a literal.
std::string escaped(std::string_view text);

class SourceText {
 public:
  /// `text` and `file` (quoted) must outlive this. Does not look at brackets yet. `folder` is put in front of relative
  /// names in source_line(); empty, or with a slash at its end.
  SourceText(std::string_view text, std::string_view file, std::string_view folder = {});

  /// Fills Token::partner and Token::brace. Throws RewriteError if brackets do not match.
  void match_brackets();

  Index size() const { return static_cast<Index>(lexed_.tokens.size()); }
  std::string_view text() const { return text_; }
  const Token& operator[](Index i) const { return lexed_.tokens[i]; }

  /// The spelling of a token; empty past either end.
  std::string_view spelling(Index i) const;
  bool is(Index i, std::string_view word) const { return spelling(i) == word; }
  bool is(Index i, char symbol) const { return i < size() && lexed_.tokens[i].symbol == symbol; }
  bool is_identifier(Index i) const { return i < size() && lexed_.tokens[i].kind == TokenKind::kIdentifier; }

  /// True if token `i` begins where the one before it ends.
  bool touches_previous(Index i) const;

  /// True if `count` touching tokens from `i` on are all `symbol`.
  bool is_run(Index i, char symbol, unsigned count) const;

  /// The `>` that closes the `<` at `open`, or kNone. Brackets inside are skipped whole.
  Index close_angle(Index open) const;
  /// The `<` that opens what the `>` at `close` closes, or kNone.
  Index open_angle(Index close) const;

  Place place(Index i) const;
  /// `{"file", 12}`: the initialiser of a SourceLine.
  std::string source_line(Index i) const;

 private:
  std::string_view text_;
  LexedText lexed_;
  std::string folder_;  // escaped as in a literal
};

}  // namespace offgrid::emu::rewrite
