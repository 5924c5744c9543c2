// The specifier words that are left after kernels and shared variables: most only disappear; some become attributes; in
// a whole-program build device variables and functions become static, as nvcc keeps them to their file.
#include "rewrite/pass.h"

namespace offgrid::emu::rewrite {
namespace {

/// The words of one declaration, read once.
struct Specifiers {
  bool is_inline = false, is_static = false, is_extern = false, is_friend = false, is_constexpr = false;
  bool is_template = false, is_specialisation = false, is_host = false, is_global = false, is_type = false;
};

Specifiers read_specifiers(const SourceText& t, Index begin, Index end) {
  Specifiers s;
  for (Index i = begin; i < end; ++i) {
    const std::string_view word = t.spelling(i);
    if (word == "template") {
      s.is_template = true;
      s.is_specialisation = t.is(i + 1, '<') && t.is(i + 2, '>');
      if (t.is(i + 1, '<')) {
        const Index close = t.close_angle(i + 1);
        if (close != kNone && close < end) i = close;
      }
    } else if (t.is(i, '(') || t.is(i, '{')) {
      i = t[i].partner;
    }
    s.is_inline |= word == "inline" || word == "__inline__" || word == "__inline" || word == "__forceinline__";
    s.is_static |= word == "static" || word == "thread_local";
    s.is_extern |= word == "extern";
    s.is_friend |= word == "friend";
    s.is_constexpr |= word == "constexpr" || word == "consteval";
    s.is_host |= word == "__host__";
    s.is_global |= word == "__global__";
    s.is_type |= word == "typedef" || word == "using";
  }
  return s;
}

Index find_auto(const SourceText& t, Index begin, Index end) {
  while (begin < end && !t.is(begin, "auto")) ++begin;
  return begin < end ? begin : kNone;
}

/// Behind the decl-specifiers: the name of a function, or the end of a variable's first declarator.
Index specifiers_end(const SourceText& t, const Declaration& d, Index word) {
  if (d.name != kNone) return d.name;
  Index i = word;
  while (i < t.size() && !t.is(i, ';') && !t.is(i, '=') && !t.is(i, ')')) i = t.is(i, '{') ? t[i].partner + 1 : i + 1;
  return i;
}

class SpecifierRewriter {
 public:
  explicit SpecifierRewriter(PassContext& context) : context_(context), t(context.source) {}

  void collect_foreign(Index i) {
    const Declaration d = read_declaration(t, i);
    if (d.name == kNone) return;
    const Specifiers s = read_specifiers(t, declaration_begin(t, i), specifiers_end(t, d, i));
    if (s.is_extern || s.is_friend) foreign_.insert(t.spelling(d.name));
  }

  void visit(const WordAt& at) {
    if (context_.edits.replaced(at.token)) return;
    switch (at.word) {
      case Word::kForceInline:
        return force_inline(at.token);
      case Word::kNoInline:
        return no_inline(at.token);
      case Word::kAlign:
        return align(at.token);
      case Word::kLaunchBounds:
      case Word::kDroppedWithArguments:
        return erase_with_arguments(at.token);
      case Word::kDevice:
        return context_.edits.replace(at.token, linkage(at.token));
      case Word::kVariableSpace:
        return variable(at.token);
      case Word::kHost:
      case Word::kDropped:
        return context_.edits.erase(at.token);
      default:
        return;
    }
  }

 private:
  void force_inline(Index i) {
    const Declaration d = read_declaration(t, i);
    if (d.kind == Declaration::Kind::kLambda) return context_.edits.erase(i);
    const Index begin = declaration_begin(t, i);
    const bool said =
        read_specifiers(t, begin, i).is_inline || read_specifiers(t, i + 1, specifiers_end(t, d, i)).is_inline;
    context_.edits.replace(i, said ? "__attribute__((always_inline))" : "inline __attribute__((always_inline))");
  }

  void no_inline(Index i) {
    if (t.is(i - 1, '(') || t.is(i - 1, ',')) return;  // inside __attribute__((...))
    context_.edits.replace(i, "__attribute__((noinline))");
  }

  void align(Index i) {
    if (!t.is(i + 1, '(')) return;
    context_.edits.replace(i, "__attribute__((aligned");
    context_.edits.insert_after(t[i + 1].partner, "))");
  }

  void erase_with_arguments(Index i) {
    const Index end = t.is(i + 1, '(') ? t[i + 1].partner + 1 : i + 1;
    context_.edits.erase_range(i, end);
  }

  /// Constant memory gets a place of its own, by which the checks know it, and is kept even if nobody reads it. What is
  /// const for the compiler as well lies in memory that nobody can write anyway.
  void variable(Index i) {
    std::string words(linkage(i));
    const Index end = specifiers_end(t, read_declaration(t, i), i);
    bool is_const = !context_.scopes.at_namespace_scope(i) || !t.is(i, "__constant__");
    for (Index k = declaration_begin(t, i); k < end && !is_const; ++k) {
      is_const = t.is(k, "const") || t.is(k, "constexpr") || t.is(k, "extern");
    }
    if (!is_const) words += " __attribute__((used, section(\"offgrid_constant\")))";
    context_.edits.replace(i, words);
  }

  /// What keeps a device function or variable to its file: "static", "inline" for a specialisation, or nothing.
  std::string_view linkage(Index i) {
    if (!context_.options.whole_program || !context_.scopes.at_namespace_scope(i)) return "";
    const Index begin = declaration_begin(t, i);
    if (!seen_.insert(begin).second) return "";
    const Declaration d = read_declaration(t, i);
    if (d.kind == Declaration::Kind::kLambda || d.kind == Declaration::Kind::kUnknown || t.is(begin - 1, '('))
      return "";
    const Index end = specifiers_end(t, d, i);
    const Specifiers s = read_specifiers(t, begin, end);
    const bool function = d.kind == Declaration::Kind::kFunction;
    if (s.is_inline || s.is_static || s.is_extern || s.is_friend || s.is_global || s.is_type) return "";
    if (s.is_constexpr || (function && s.is_host)) return "";
    const bool guide = function && t.is(d.close_paren + 1, "->") && find_auto(t, begin, end) == kNone;
    if (guide) return "";
    if (d.name != kNone && (t.is(d.name - 1, "::") || foreign_.contains(t.spelling(d.name)))) return "";
    if (s.is_specialisation) return function && d.body != kNone ? "inline" : "";
    return s.is_template ? "" : "static";
  }

  PassContext& context_;
  const SourceText& t;
  std::unordered_set<std::string_view> foreign_;  // names declared extern or friend somewhere
  std::unordered_set<Index> seen_;                // declarations that have their linkage word
};

}  // namespace

void rewrite_specifier_words(PassContext& context) {
  SpecifierRewriter rewriter(context);
  for (const WordAt& at : context.words) {
    if (at.word == Word::kDevice || at.word == Word::kVariableSpace) rewriter.collect_foreign(at.token);
  }
  for (const WordAt& at : context.words) rewriter.visit(at);
}

}  // namespace offgrid::emu::rewrite
