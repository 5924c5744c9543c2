// `k<T><<<grid, block, shared, stream>>>(args)` becomes `(configure_launch({file, line}, grid, ...), k<T>(args))`.
#include "rewrite/pass.h"

namespace offgrid::emu::rewrite {
namespace {

/// Start of the id-expression or postfix expression that ends at `last`, or kNone.
Index expression_begin(const SourceText& t, Index last) {
  Index i = last;
  while (true) {
    if (t.is(i, '>')) {
      i = t.open_angle(i);
      if (i == kNone || i == 0) return kNone;
      --i;
    }
    if (t.is(i, ')') || t.is(i, ']')) {
      i = t[i].partner;
      // A call or subscript belongs to what stands before it; otherwise these are plain parentheses.
      const bool has_operand = i > 0 && (t.is(i - 1, ')') || t.is(i - 1, ']') || t.is(i - 1, '>') ||
                                         (t.is_identifier(i - 1) && !is_expression_keyword(t.spelling(i - 1))));
      if (!has_operand) return i;
      --i;
      continue;
    }
    if (!t.is_identifier(i)) return kNone;
    if (t.is(i - 1, "template")) --i;
    const bool joined = i > 0 && (t.is(i - 1, "::") || t.is(i - 1, '.') || t.is(i - 1, "->"));
    if (!joined) return i;
    --i;
    const bool has_left = i > 0 && (t.is(i - 1, '>') || t.is(i - 1, ')') || t.is(i - 1, ']') ||
                                    (t.is_identifier(i - 1) && !is_expression_keyword(t.spelling(i - 1))));
    if (!has_left) return i;  // a leading `::`
    --i;
  }
}

/// The first of the three `>` that close the configuration opened at `open`, or kNone.
Index close_configuration(const SourceText& t, Index open) {
  for (Index i = open + 3; i < t.size(); ++i) {
    if (t.is(i, '(') || t.is(i, '[') || t.is(i, '{')) {
      i = t[i].partner;
    } else if (t.is(i, ';') || t.is(i, ')') || t.is(i, '}') || t.is(i, ']')) {
      return kNone;
    } else if (t.is_run(i, '>', 3) && !(t.is(i + 3, '>') && t.touches_previous(i + 3))) {
      return t.is(i + 3, '(') ? i : kNone;
    }
  }
  return kNone;
}

/// Throws if a launch stands between the tokens. Lambdas may hold some: they run later.
void refuse_launches(const SourceText& t, Index begin, Index end, const char* where) {
  for (Index i = begin; i + 3 < end; ++i) {
    if (t.is(i, '{')) i = t[i].partner;
    if (!t.is(i, '<') || !t.is_run(i, '<', 3) || t.is(i - 1, "operator")) continue;
    if (close_configuration(t, i) == kNone) continue;
    throw RewriteError(t.place(i), std::string("a launch inside the ") + where +
                                       " of a launch is not supported; make it a statement of its own before");
  }
}

void rewrite_launch(PassContext& context, Index open) {
  const SourceText& t = context.source;
  const Index close = close_configuration(t, open);
  if (close == kNone) return;  // shifts, or a token sequence of its own
  const Index begin = open == 0 ? kNone : expression_begin(t, open - 1);
  if (begin == kNone) throw RewriteError(t.place(open), "cannot find the kernel in front of '<<<'");
  if (close == open + 3) throw RewriteError(t.place(open), "a launch needs a grid and a block size: <<<grid, block>>>");
  refuse_launches(t, open + 3, close, "configuration");
  refuse_launches(t, close + 3, t[close + 3].partner, "arguments");
  const std::string configuration = context.edits.on_one_line(open + 3, close);
  context.edits.erase_range(open, close + 3);
  context.edits.insert_before(
      begin, "(::offgrid::emu::configure_launch(" + t.source_line(begin) + ", " + configuration + "), ");
  context.edits.insert_after(t[close + 3].partner, ")");
}

}  // namespace

void rewrite_launches(PassContext& context) {
  const SourceText& t = context.source;
  for (Index i = 0; i + 3 < t.size(); ++i) {
    if (!t.is(i, '<') || !t.is_run(i, '<', 3) || t.is(i - 1, "operator")) continue;
    rewrite_launch(context, i);
    i += 2;
  }
}

}  // namespace offgrid::emu::rewrite
