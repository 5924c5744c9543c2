#include "rewrite/source_text.h"

#include <vector>

namespace offgrid::emu::rewrite {
namespace {

char closer_of(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }
bool is_opener(char c) { return c == '(' || c == '[' || c == '{'; }
bool is_closer(char c) { return c == ')' || c == ']' || c == '}'; }

}  // namespace

SourceText::SourceText(std::string_view text, std::string_view file, std::string_view folder)
    : text_(text), lexed_(lex(text, file)), folder_(escaped(folder)) {}

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

void SourceText::match_brackets() {
  std::vector<Index> open;
  std::vector<Index> braces{kNone};
  for (Index i = 0; i < size(); ++i) {
    Token& token = lexed_.tokens[i];
    const char c = token.symbol;
    if (is_closer(c)) {
      if (open.empty()) throw RewriteError(place(i), std::string("unbalanced brackets: nothing open for '") + c + "'");
      Token& opener = lexed_.tokens[open.back()];
      if (closer_of(opener.symbol) != c) {
        throw RewriteError(place(i), std::string("unbalanced brackets: '") + c + "' cannot close the '" +
                                         opener.symbol + "' of line " + std::to_string(place(open.back()).line));
      }
      opener.partner = i;
      token.partner = open.back();
      open.pop_back();
      if (c == '}') braces.pop_back();
    }
    token.brace = braces.back();
    if (is_opener(c)) {
      open.push_back(i);
      if (c == '{') braces.push_back(i);
    }
  }
  if (!open.empty()) {
    throw RewriteError(place(open.back()),
                       std::string("unbalanced brackets: '") + lexed_.tokens[open.back()].symbol + "' is never closed");
  }
}

std::string_view SourceText::spelling(Index i) const {
  if (i >= size()) return {};
  const Token& t = lexed_.tokens[i];
  return text_.substr(t.begin, t.end - t.begin);
}

bool SourceText::touches_previous(Index i) const {
  return i > 0 && i < size() && lexed_.tokens[i - 1].end == lexed_.tokens[i].begin;
}

bool SourceText::is_run(Index i, char symbol, unsigned count) const {
  for (unsigned k = 0; k < count; ++k) {
    if (!is(i + k, symbol) || (k > 0 && !touches_previous(i + k))) return false;
  }
  return true;
}

Index SourceText::close_angle(Index open) const {
  unsigned depth = 0;
  for (Index i = open; i < size(); ++i) {
    const char c = lexed_.tokens[i].symbol;
    if (c == '<') {
      if (i != open && is(i + 1, '<') && touches_previous(i + 1)) {
        ++i;  // a shift
      } else {
        ++depth;
      }
    } else if (c == '>') {
      if (--depth == 0) return i;
    } else if (is_opener(c)) {
      i = lexed_.tokens[i].partner;
    } else if (is_closer(c) || c == ';') {
      return kNone;
    }
  }
  return kNone;
}

Index SourceText::open_angle(Index close) const {
  unsigned depth = 0;
  for (Index i = close; i != kNone; --i) {
    const char c = lexed_.tokens[i].symbol;
    if (c == '>') {
      ++depth;
    } else if (c == '<') {
      if (touches_previous(i) && is(i - 1, '<')) {
        --i;  // a shift
      } else if (--depth == 0) {
        return i;
      }
    } else if (is_closer(c)) {
      i = lexed_.tokens[i].partner;
    } else if (is_opener(c) || c == ';') {
      return kNone;
    }
  }
  return kNone;
}

Place SourceText::place(Index i) const {
  if (size() == 0) return {lexed_.markers[0].file, 1, false};
  const Token& t = lexed_.tokens[i < size() ? i : size() - 1];
  const LineMarker& m = lexed_.markers[t.marker];
  return {m.file, m.line + (t.line - m.physical), m.system};
}

std::string SourceText::source_line(Index i) const {
  const Place p = place(i);
  std::string file(p.file);
  if (!file.starts_with("\"/") && !file.starts_with("\"<")) file.insert(1, folder_);
  return "{" + file + ", " + std::to_string(p.line) + "}";
}

}  // namespace offgrid::emu::rewrite
