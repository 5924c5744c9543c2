/// Changes to a text, kept per token. Only tokens are replaced: white space, comments and line markers between them
/// stay, so that the number of lines cannot change.
#pragma once

#include <map>
#include <string>

#include "rewrite/source_text.h"

namespace offgrid::emu::rewrite {

class Edits {
 public:
  explicit Edits(const SourceText& source) : source_(source) {}

  void insert_before(Index token, std::string_view text) { at(token).before += text; }
  void insert_after(Index token, std::string_view text) { at(token).after += text; }
  void replace(Index token, std::string_view text);
  void erase(Index token) { replace(token, ""); }
  void erase_range(Index begin, Index end);  ///< tokens [begin, end) and blanks between, with what was inserted at them
  bool replaced(Index token) const;

  /// Tokens [begin, end) with their edits on one line, for text that is moved elsewhere.
  std::string on_one_line(Index begin, Index end) const;

  /// The whole text with all edits.
  std::string apply() const;

 private:
  struct TokenEdit {
    std::string before, after, replacement;
    bool replaced = false;
    bool joined = false;  // blanks behind the token go too
  };
  TokenEdit& at(Index token) { return edits_[token]; }

  const SourceText& source_;
  std::map<Index, TokenEdit> edits_;
};

}  // namespace offgrid::emu::rewrite
