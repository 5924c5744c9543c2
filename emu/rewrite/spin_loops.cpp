// Loops of device code that may wait for another lane or block take a turn each time around, so that a flag read as a
// plain volatile can change. There are no types here, so a loop that may wait is known by its form: `while`, `do` and
// `for` without a third part, around one statement (a few if the loop has no condition), and any `for` around none.
// A loop that changes a variable of its own more likely computes: its turns are rarer and no sign of a livelock.
#include <array>

#include "rewrite/pass.h"

namespace offgrid::emu::rewrite {
namespace {

constexpr unsigned kMostSemicolons = 3;  // in the body of a loop that waits

bool is_loop_keyword(std::string_view word) { return word == "while" || word == "for" || word == "do"; }

Index skip_attributes(const SourceText& t, Index i) {
  while (t.is(i, '[') && t.is(i + 1, '[')) i = t[i].partner + 1;
  return i;
}

/// The token behind the statement at `i`, or kNone if it cannot be read.
Index statement_end(const SourceText& t, Index i) {
  i = skip_attributes(t, i);
  const std::string_view word = t.spelling(i);
  if (t.is(i, '{')) return t[i].partner + 1;
  if (word == "if") {
    for (++i; t.is(i, "constexpr") || t.is(i, "consteval") || t.is(i, '!');) ++i;
    if (t.is(i, '(')) i = t[i].partner + 1;
    const Index end = statement_end(t, i);
    return end != kNone && t.is(end, "else") ? statement_end(t, end + 1) : end;
  }
  if (word == "while" || word == "for" || word == "switch") {
    return t.is(i + 1, '(') ? statement_end(t, t[i + 1].partner + 1) : kNone;
  }
  if (word == "do") {
    const Index tail = statement_end(t, i + 1);
    if (tail == kNone || !t.is(tail, "while") || !t.is(tail + 1, '(')) return kNone;
    return t[tail + 1].partner + 2;
  }
  if (word == "try" && t.is(i + 1, '{')) {
    Index end = t[i + 1].partner + 1;
    while (t.is(end, "catch") && t.is(end + 1, '(')) end = t[t[end + 1].partner + 1].partner + 1;
    return end;
  }
  if (word == "case" || word == "default") return kNone;
  if (t.is_identifier(i) && t.is(i + 1, ':')) return statement_end(t, i + 2);
  for (; i < t.size(); ++i) {
    if (t.is(i, '(') || t.is(i, '[') || t.is(i, '{')) {
      i = t[i].partner;
    } else if (t.is(i, ';')) {
      return i + 1;
    } else if (t.is(i, ')') || t.is(i, ']') || t.is(i, '}')) {
      return kNone;
    }
  }
  return kNone;
}

/// Tokens [begin, end).
struct Range {
  Index begin, end;
  Index size() const { return end - begin; }
};

struct Loop {
  Range condition;
  Index body;              // its first token
  bool increment = false;  // a `for` with a third part
};

/// True if the tokens add to a variable, or compute it from itself.
bool changes_something(const SourceText& t, Range range) {
  for (Index i = range.begin; i < range.end; ++i) {
    const std::string_view s = t.spelling(i);
    if (s == "++" || s == "--") return true;
    if (t[i].kind != TokenKind::kSymbol || !s.ends_with('=') || s == "==" || s == "!=") continue;
    if (s == "<=" || s == ">=") {  // of `<<=` the first `<` is a token of its own
      if (t.is(i - 1, s[0]) && t.touches_previous(i)) return true;
      continue;
    }
    if (s.size() > 1) return true;
    Index name = i - 1;
    while (t.is(name, ']')) name = t[name].partner - 1;
    for (Index k = i + 1; k < range.end && !t.is(k, ';'); ++k) {
      if (t.is_identifier(name) && t.is(k, t.spelling(name))) return true;
    }
  }
  return false;
}

class SpinLoops {
 public:
  explicit SpinLoops(PassContext& context) : context_(context), t(context.source) {}

  void run() {
    for (Index i = 0; i < t.size(); ++i) {
      if (!t.is_identifier(i) || !is_loop_keyword(t.spelling(i)) || tails_.contains(i)) continue;
      if (!context_.in_device_code(i)) continue;
      if (t.is(i, "while") && t.is(i + 1, '(')) {
        visit({inside(i + 1), t[i + 1].partner + 1});
      } else if (t.is(i, "for") && t.is(i + 1, '(')) {
        visit_for(i + 1);
      } else if (t.is(i, "do")) {
        i = visit_do(i);
      }
    }
  }

 private:
  Range inside(Index open) const { return {open + 1, t[open].partner}; }

  void visit_for(Index open) {
    std::array<Index, 2> semicolons{};
    unsigned count = 0;
    const Index close = t[open].partner;
    for (Index i = open + 1; i < close; ++i) {
      if (t.is(i, '(') || t.is(i, '[') || t.is(i, '{')) i = t[i].partner;
      if (t.is(i, ';') && count < 2) semicolons[count++] = i;
    }
    if (count < 2) return;  // over a range
    visit({{semicolons[0] + 1, semicolons[1]}, close + 1, semicolons[1] + 1 != close});
  }

  /// Returns where to go on: behind the block around a `do` that cannot be read, since its `while` is unknown.
  Index visit_do(Index i) {
    const Index tail = statement_end(t, i + 1);
    if (tail == kNone || !t.is(tail, "while") || !t.is(tail + 1, '(')) return t[t[i].brace].partner;
    tails_.insert(tail);
    const Range condition = inside(tail + 1);
    if (!is_word(condition, "0", "false")) visit({condition, i + 1});
    return i;
  }

  bool is_word(Range range, std::string_view one, std::string_view other) const {
    return range.size() == 1 && (t.is(range.begin, one) || t.is(range.begin, other));
  }

  void visit(const Loop& loop) {
    const Index begin = skip_attributes(t, loop.body);
    const Index end = statement_end(t, begin);
    if (end == kNone) return;
    const bool block = t.is(begin, '{');
    const Range body = block ? inside(begin) : Range{begin, end};
    const bool empty = body.size() == 0 || (body.size() == 1 && t.is(body.begin, ';'));
    if (!empty && (loop.increment || !is_short(body, is_endless(loop.condition)))) return;
    const bool computes = changes_something(t, loop.condition) || changes_something(t, body);
    const std::string turn = computes ? "::offgrid::emu::take_loop_turn();" : "::offgrid::emu::take_turn();";
    if (block) {
      context_.edits.insert_after(begin, " " + turn);
    } else {
      context_.edits.insert_before(loop.body, "{ " + turn + " ");
      context_.edits.insert_after(end - 1, " }");
    }
  }

  bool is_endless(Range condition) const { return condition.size() == 0 || is_word(condition, "1", "true"); }

  /// One statement, or a few if only they can end the loop; no loop among them.
  bool is_short(Range body, bool endless) const {
    unsigned semicolons = 0;
    for (Index i = body.begin; i < body.end; ++i) {
      semicolons += t.is(i, ';');
      if (semicolons > kMostSemicolons || (t.is_identifier(i) && is_loop_keyword(t.spelling(i)))) return false;
    }
    return endless || statement_end(t, body.begin) == body.end;
  }

  PassContext& context_;
  const SourceText& t;
  std::unordered_set<Index> tails_;  // the `while` of each `do`
};

}  // namespace

void rewrite_spin_loops(PassContext& context) { SpinLoops(context).run(); }

}  // namespace offgrid::emu::rewrite
