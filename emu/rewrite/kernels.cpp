// `__global__ void k(T a) { ... }` becomes an ordinary function that hands its body, as a lambda, and its arguments to
// enter_kernel (kernel_entry.h). Prototypes, instantiations and friends only lose the word.
#include <optional>

#include "rewrite/pass.h"

namespace offgrid::emu::rewrite {
namespace {

/// Tokens [begin, end) as an int expression: a plain number as it is, anything else cast.
std::string int_expression(PassContext& context, Index begin, Index end) {
  const std::string text = context.edits.on_one_line(begin, end);
  if (end == begin + 1 && context.source[begin].kind == TokenKind::kNumber) return text;
  return "static_cast<int>(" + text + ")";
}

using TokenRange = std::pair<Index, Index>;

/// The arguments of the attribute that is `word` in the declaration; nothing if it does not have it.
std::optional<std::vector<TokenRange>> attribute_arguments(const PassContext& context, Index begin, Index end,
                                                           std::string_view word) {
  const SourceText& t = context.source;
  for (Index i = begin; i < end; ++i) {
    if (!t.is(i, word) || !t.is(i + 1, '(')) continue;
    std::vector<TokenRange> arguments;
    const Index close = t[i + 1].partner;
    Index first = i + 2;
    for (Index k = first; k <= close; ++k) {
      if (k == close || t.is(k, ',')) {
        if (k > first) arguments.emplace_back(first, k);
        first = k + 1;
      } else if (t.is(k, '(') || t.is(k, '{') || t.is(k, '[')) {
        k = t[k].partner;
      } else if (t.is(k, '<')) {
        const Index angle = t.close_angle(k);
        if (angle != kNone && angle < close) k = angle;
      }
    }
    return arguments;
  }
  return {};
}

/// The nth argument as an int, or `otherwise`.
std::string argument_or(PassContext& context, const std::vector<TokenRange>& arguments, std::size_t n,
                        const char* otherwise) {
  return n < arguments.size() ? int_expression(context, arguments[n].first, arguments[n].second) : otherwise;
}

/// What KernelSource says of a declaration: `256, 2` before the parameters' names, and `, {2, 1, 1}, 8` behind them.
struct Limits {
  std::string bounds, cluster;
};
Limits read_limits(PassContext& context, Index begin, Index end) {
  const auto bounds = attribute_arguments(context, begin, end, "__launch_bounds__").value_or(std::vector<TokenRange>{});
  const auto cluster = attribute_arguments(context, begin, end, "__cluster_dims__");
  Limits limits;
  limits.bounds = argument_or(context, bounds, 0, "0") + ", " + argument_or(context, bounds, 1, "0");
  if (cluster) {
    limits.cluster = ", {" + argument_or(context, *cluster, 0, "-1") + ", " + argument_or(context, *cluster, 1, "1") +
                     ", " + argument_or(context, *cluster, 2, "1") + "}";
  }
  if (bounds.size() > 2) limits.cluster += (cluster ? ", " : ", {}, ") + argument_or(context, bounds, 2, "0");
  return limits;
}

/// True if `bracket` is the `]` of a lambda's captures: no subscript, array bound or attribute.
bool closes_captures(const SourceText& t, Index bracket) {
  if (!t.is(bracket, ']') || t.is(bracket - 1, ']')) return false;
  const Index before = t[bracket].partner - 1;
  return !t.is(before, ')') && !t.is(before, ']') && !t.is(before, '>') &&
         (!t.is_identifier(before) || is_expression_keyword(t.spelling(before)));
}

/// True if `brace` opens a lambda's body: captures, or captures and parameters, come before it in its statement.
bool opens_lambda(const SourceText& t, Index brace) {
  for (Index i = brace - 1; i != kNone && !t.is(i, ';') && !t.is(i, '{') && !t.is(i, '}') && !t.is(i, '='); --i) {
    if (closes_captures(t, i)) return true;
    if (t.is(i, ')') || t.is(i, ']')) i = t[i].partner;
  }
  return false;
}

/// The body becomes a lambda, whose own `__func__` is "operator()".
void name_function(PassContext& context, const Declaration& d) {
  const SourceText& t = context.source;
  for (Index i = d.body; i < t[d.body].partner; ++i) {
    if (!t.is(i, "__func__") && !t.is(i, "__FUNCTION__")) continue;
    Index b = t[i].brace;
    while (b != d.body && !opens_lambda(t, b)) b = t[b].brace;
    if (b == d.body) context.edits.replace(i, '"' + std::string(t.spelling(d.name)) + '"');
  }
}

void rewrite_definition(PassContext& context, Index word, const Declaration& d) {
  const SourceText& t = context.source;
  std::string lambda_parameters, arguments, names;  // an unnamed one stays unnamed in the lambda
  unsigned unnamed = 0;
  for (const Parameter& p : read_parameters(t, d.open_paren, d.close_paren)) {
    std::string name(t.spelling(p.name));
    const std::string dots = p.pack ? "..." : "";
    if (!lambda_parameters.empty()) names += ",";
    names += name + dots;
    if (p.name == kNone) {
      name = "offgrid_unnamed_" + std::to_string(unnamed++);
      context.edits.insert_after(p.name_place - 1, " " + name);
    }
    if (!lambda_parameters.empty()) lambda_parameters += ", ";
    lambda_parameters += "decltype(" + name + ")" + dots + (p.name == kNone ? "" : " " + name);
    arguments += ", " + name + dots;
  }
  name_function(context, d);
  const std::string where = t.source_line(d.name);
  const Index begin = declaration_begin(t, word);
  const Limits limits = read_limits(context, begin, d.body);
  context.edits.replace(word, "__attribute__((noinline))");
  context.edits.insert_before(d.body, "{ ::offgrid::emu::enter_kernel({__PRETTY_FUNCTION__, " + where + ", " +
                                          limits.bounds + ", \"" + names + "\"" + limits.cluster + "}, [](" +
                                          lambda_parameters + ") -> void ");
  context.edits.insert_after(t[d.body].partner, arguments + "); }");
}

}  // namespace

void rewrite_kernels(PassContext& context) {
  for (const WordAt& at : context.words) {
    if (at.word != Word::kGlobal || context.edits.replaced(at.token)) continue;
    const Declaration d = read_declaration(context.source, at.token);
    if (d.kind == Declaration::Kind::kFunction && d.body != kNone) {
      rewrite_definition(context, at.token, d);
    } else if (d.kind == Declaration::Kind::kUnknown) {
      throw RewriteError(context.source.place(at.token), "cannot read the declaration behind '__global__'");
    } else {
      context.edits.erase(at.token);
    }
  }
}

}  // namespace offgrid::emu::rewrite
