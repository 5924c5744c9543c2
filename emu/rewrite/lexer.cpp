#include "rewrite/lexer.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <utility>

namespace offgrid::emu::rewrite {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

/// Symbols of more than one character, longest first. `<<`, `>>` and what begins with them are left apart on purpose.
constexpr std::array<std::string_view, 24> kLongSymbols = {
    "->*", "...", "::", "->", "<=", ">=", "==", "!=", "&&", "||", "++", "--",
    "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", ".*", "##", "<%", "%>"};

class Lexer {
 public:
  Lexer(std::string_view text, std::string_view file) : text_(text) {
    out_.markers.push_back({0, 1, file, false});
    out_.tokens.reserve(text.size() / 5);
  }

  LexedText run() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    const char c = peek();
    if (c == '\n') {
      ++line_;
      ++at_;
      line_start_ = true;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      skip_splice();
    } else if (c == '/' && peek(1) == '/') {
      skip_line(false);
    } else if (c == '/' && peek(1) == '*') {
      skip_block_comment();
    } else if (c == '#' && line_start_) {
      directive();
    } else {
      line_start_ = false;
      token();
    }
  }

  void skip_splice() {
    at_ += peek(1) == '\n' ? 2 : 3;
    ++line_;
  }

  /// To the end of the line, which stays; a line that ends in a backslash goes on. A directive, unlike a `//` comment,
  /// may hold the start of a longer comment.
  void skip_line(bool is_directive) {
    while (at_ < text_.size() && peek() != '\n') {
      if (peek() == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
        skip_splice();
      } else if (is_directive && peek() == '/' && peek(1) == '*') {
        skip_block_comment();
      } else {
        ++at_;
      }
    }
  }

  void skip_block_comment() {
    const std::size_t close = text_.find("*/", at_ + 2);
    const std::size_t end = close == std::string_view::npos ? text_.size() : close + 2;
    for (; at_ < end; ++at_) line_ += peek() == '\n';
  }

  void directive() {
    const std::size_t begin = at_;
    const std::uint32_t first_line = line_;
    skip_line(true);
    if (line_ == first_line) marker(text_.substr(begin + 1, at_ - begin - 1));
  }

  /// Reads `12 "file" 1 3` or `line 12 "file"`; anything else is another directive and is left alone.
  void marker(std::string_view rest) {
    auto skip_blanks = [&] {
      while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
    };
    skip_blanks();
    if (rest.starts_with("line")) rest.remove_prefix(4);
    skip_blanks();
    LineMarker m{line_ + 1, 0, out_.markers.back().file, false};
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), m.line);
    if (error != std::errc{}) return;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    skip_blanks();
    if (rest.starts_with('"')) {
      std::size_t close = 1;
      while (close < rest.size() && rest[close] != '"') close += rest[close] == '\\' ? 2 : 1;
      if (close >= rest.size()) return;
      m.file = rest.substr(0, close + 1);
      rest.remove_prefix(close + 1);
      m.system = rest.find('3') != std::string_view::npos;
    }
    out_.markers.push_back(m);
  }

  void emit(std::size_t begin, std::uint32_t line, TokenKind kind, char symbol = 0) {
    out_.tokens.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_), line,
                           static_cast<std::uint32_t>(out_.markers.size() - 1), kNone, kNone, kind, symbol});
  }

  void token() {
    const std::size_t begin = at_;
    const std::uint32_t line = line_;
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      number();
      emit(begin, line, TokenKind::kNumber);
    } else if (is_word(c)) {
      while (is_word(peek())) ++at_;
      const std::string_view word = text_.substr(begin, at_ - begin);
      if (peek() == '"' && is_raw_prefix(word)) {
        raw_string();
        emit(begin, line, TokenKind::kString);
      } else if ((peek() == '"' || peek() == '\'') && is_prefix(word)) {
        literal(begin, line);
      } else {
        emit(begin, line, TokenKind::kIdentifier);
      }
    } else if (c == '"' || c == '\'') {
      literal(begin, line);
    } else {
      symbol(begin, line);
    }
  }

  static bool is_prefix(std::string_view w) { return w == "L" || w == "u" || w == "U" || w == "u8"; }
  static bool is_raw_prefix(std::string_view w) {
    return w.ends_with('R') && (w.size() == 1 || is_prefix(w.substr(0, w.size() - 1)));
  }

  void number() {
    while (true) {
      const char c = peek();
      if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') && (peek(1) == '+' || peek(1) == '-')) {
        at_ += 2;
      } else if (is_word(c) || c == '.' || (c == '\'' && is_word(peek(1)))) {
        ++at_;
      } else {
        return;
      }
    }
  }

  void literal(std::size_t begin, std::uint32_t line) {
    const char quote = peek();
    ++at_;
    while (at_ < text_.size() && peek() != quote && peek() != '\n') {
      if (peek() == '\\') {
        line_ += peek(1) == '\n';
        ++at_;
      }
      ++at_;
    }
    if (at_ > text_.size()) at_ = text_.size();
    if (peek() == quote) ++at_;
    emit(begin, line, quote == '"' ? TokenKind::kString : TokenKind::kCharacter);
  }

  void raw_string() {
    const std::size_t open = text_.find('(', at_);
    std::size_t end = text_.size();
    if (open != std::string_view::npos) {
      std::string close{")"};
      close += text_.substr(at_ + 1, open - at_ - 1);
      close += '"';
      const std::size_t found = text_.find(close, open);
      if (found != std::string_view::npos) end = found + close.size();
    }
    for (; at_ < end; ++at_) line_ += peek() == '\n';
  }

  void symbol(std::size_t begin, std::uint32_t line) {
    const std::string_view rest = text_.substr(begin);
    char translated = 0;
    std::size_t length = 1;
    for (std::string_view s : kLongSymbols) {
      if (rest.starts_with(s)) {
        length = s.size();
        break;
      }
    }
    if (rest.starts_with("<%")) translated = '{';
    if (rest.starts_with("%>")) translated = '}';
    if (rest.starts_with(":>")) translated = ']', length = 2;
    if (rest.starts_with("<:") &&
        !(rest.starts_with("<::") && !rest.starts_with("<:::") && !rest.starts_with("<::>"))) {
      translated = '[';
      length = 2;
    }
    if (length == 1) translated = rest[0];
    at_ += length;
    emit(begin, line, TokenKind::kSymbol, translated);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 0;
  bool line_start_ = true;
  LexedText out_;
};

}  // namespace

LexedText lex(std::string_view text, std::string_view file) { return Lexer(text, file).run(); }

}  // namespace offgrid::emu::rewrite
