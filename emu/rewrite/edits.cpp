#include "rewrite/edits.h"

#include <algorithm>

namespace offgrid::emu::rewrite {
namespace {

/// Appends new text to text that it may not grow together with: `%` and `::` would begin with `%:`, which means `#`.
void append_apart(std::string& out, std::string_view text) {
  if (!out.empty() && !text.empty() && text.front() == ':' && (out.back() == '%' || out.back() == ':')) out += ' ';
  out += text;
}

/// The length of `gap` if it is nothing but spaces and tabs, else 0.
std::size_t blanks(std::string_view gap) { return gap.find_first_not_of(" \t") == gap.npos ? gap.size() : 0; }

}  // namespace

void Edits::replace(Index token, std::string_view text) {
  TokenEdit& edit = at(token);
  edit.replacement = text;
  edit.replaced = true;
}

void Edits::erase_range(Index begin, Index end) {
  for (Index i = begin; i < end; ++i) edits_[i] = {"", "", "", true, i + 1 < end};
}

bool Edits::replaced(Index token) const {
  const auto found = edits_.find(token);
  return found != edits_.end() && found->second.replaced;
}

std::string Edits::on_one_line(Index begin, Index end) const {
  std::string out;
  for (Index i = begin; i < end; ++i) {
    if (i != begin && !source_.touches_previous(i)) out += ' ';
    const auto found = edits_.find(i);
    if (found == edits_.end()) {
      out += source_.spelling(i);
    } else {
      const TokenEdit& e = found->second;
      append_apart(out, e.before);
      append_apart(out, e.replaced ? std::string_view(e.replacement) : source_.spelling(i));
      out += e.after;
    }
  }
  return out;
}

std::string Edits::apply() const {
  const std::string_view text = source_.text();
  std::string out;
  out.reserve(text.size() + edits_.size() * 64);
  std::size_t copied = 0;
  for (const auto& [index, edit] : edits_) {
    const Token& token = source_[index];
    out += text.substr(copied, token.begin - copied);
    append_apart(out, edit.before);
    const std::string_view spelling = source_.spelling(index);
    if (edit.replaced) {
      append_apart(out, edit.replacement);
      out.append(static_cast<std::size_t>(std::count(spelling.begin(), spelling.end(), '\n')), '\n');
    } else {
      out += spelling;
    }
    out += edit.after;
    copied = token.end;
    if (edit.joined) copied += blanks(text.substr(copied, source_[index + 1].begin - copied));
  }
  out += text.substr(copied);
  return out;
}

}  // namespace offgrid::emu::rewrite
