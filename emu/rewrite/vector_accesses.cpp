// In checked mode, accesses through pointers to vector types go through a function that checks the pointer's alignment.
// The compiler's own check looks at members (`p->x`), but a copy of the whole is split into its members before anything
// looks at it. There are no types here, so such an access is known by its form: a cast that is dereferenced or indexed,
// and a name that was declared as a pointer to one of CUDA's vector types.
#include <array>
#include <unordered_set>

#include "rewrite/pass.h"

namespace offgrid::emu::rewrite {
namespace {

bool is_vector_type(std::string_view name) {
  static constexpr std::array<std::string_view, 12> kScalars = {
      "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong", "float", "double"};
  if (name.size() < 4 || name.back() < '2' || name.back() > '4') return false;
  name.remove_suffix(1);
  for (const std::string_view scalar : kScalars) {
    if (name == scalar) return true;
  }
  return false;
}

bool is_pointer_qualifier(const SourceText& t, Index i) {
  return t.is(i, "const") || t.is(i, "volatile") || t.is(i, "__restrict__") || t.is(i, "__restrict") ||
         t.is(i, "restrict");
}

class VectorAccesses {
 public:
  explicit VectorAccesses(PassContext& context) : context_(context), t(context.source) {}

  void run() {
    for (Index i = 0; i < t.size(); ++i) collect(i);
    for (Index i = 0; i < t.size(); ++i) {
      if (context_.in_device_code(i)) visit(i);
    }
  }

 private:
  /// Remembers the name of a pointer to vectors that is declared at `i`.
  void collect(Index i) {
    if (!t.is_identifier(i)) return;
    if (is_vector_type(t.spelling(i))) {
      Index name = i + 1;
      while (is_pointer_qualifier(t, name)) ++name;
      if (!t.is(name, '*')) return;
      do ++name;
      while (is_pointer_qualifier(t, name));
      if (t.is_identifier(name)) names_.insert(t.spelling(name));
    } else if (t.is(i, "auto")) {
      Index name = i + 1;
      while (t.is(name, '*') || is_pointer_qualifier(t, name)) ++name;
      if (!t.is_identifier(name) || !t.is(name + 1, '=')) return;
      const Index cast = name + 2;
      const Index end = t.is(cast, "reinterpret_cast") && t.is(cast + 1, '<') ? t.close_angle(cast + 1)
                        : t.is(cast, '(')                                     ? t[cast].partner
                                                                              : kNone;
      if (end == kNone || !ends_in_star(end)) return;
      for (Index k = cast; k < end; ++k) {
        if (t.is_identifier(k) && is_vector_type(t.spelling(k))) names_.insert(t.spelling(name));
      }
    }
  }

  bool ends_in_star(Index close) const {
    Index last = close - 1;
    while (is_pointer_qualifier(t, last)) --last;
    return t.is(last, '*');
  }

  void visit(Index i) {
    if (t.is(i, '*') && is_unary(i)) {
      visit_dereference(i);
    } else if (t.is(i, "reinterpret_cast")) {
      const Index end = cast_end(i);
      if (end != kNone && t.is(end, '[')) wrap(i, t[end].partner + 1);
    } else if (t.is(i, '(') && t.is(i + 1, '(') && is_pointer_cast(i + 1) && t.is(t[i].partner + 1, '[')) {
      if (!t.is_identifier(i - 1)) wrap(i, t[t[i].partner + 1].partner + 1);
    } else if (is_vector_pointer(i) && t.is(i + 1, '[') && !in_declarators(i)) {
      wrap(i, t[i + 1].partner + 1);
    }
  }

  void visit_dereference(Index star) {
    const Index i = star + 1;
    if (t.is(i, "reinterpret_cast")) {
      const Index end = cast_end(i);
      if (end != kNone && !t.is(end, '[') && !t.is(end, '(')) wrap(star, end);
    } else if (t.is(i, '(') && is_pointer_cast(i)) {
      const Index end = operand_end(t[i].partner + 1);
      if (end != kNone) wrap(star, end);
    } else if (is_vector_pointer(i) && !t.is(i + 1, '[') && !t.is(i + 1, '(') && !t.is(i + 1, "++") &&
               !t.is(i + 1, "--") && !t.is(i + 1, "->") && !in_declarators(star)) {
      wrap(star, i + 1);
    }
  }

  /// `float4 a[8];`, and what follows in `float4 *a, *b, c[2];`: declares a name, accesses nothing.
  bool in_declarators(Index token) const {
    if (t.is_identifier(token - 1)) return !is_expression_keyword(t.spelling(token - 1));
    if (!t.is(token - 1, ',') && !t.is(token - 1, '*')) return false;
    Index i = declaration_begin(t, token);
    while (is_pointer_qualifier(t, i)) ++i;
    return is_vector_type(t.spelling(i));
  }

  bool is_vector_pointer(Index i) const {
    return t.is_identifier(i) && names_.contains(t.spelling(i)) && !t.is(i - 1, '.') && !t.is(i - 1, "->") &&
           !t.is(i - 1, "::");
  }

  /// An operator in front of an operand, not between two.
  bool is_unary(Index i) const {
    if (t.is(i - 1, ')') || t.is(i - 1, ']')) return false;
    if (i == 0 || t[i - 1].kind == TokenKind::kSymbol) return true;
    return t.is(i - 1, "return") || t.is(i - 1, "else") || t.is(i - 1, "case");
  }

  /// Behind `reinterpret_cast<T*>(...)`, or kNone.
  Index cast_end(Index i) const {
    if (!t.is(i + 1, '<')) return kNone;
    const Index close = t.close_angle(i + 1);
    if (close == kNone || !ends_in_star(close) || !t.is(close + 1, '(')) return kNone;
    return t[close + 1].partner + 1;
  }

  /// `(T*)` in front of an operand.
  bool is_pointer_cast(Index open) const {
    const Index close = t[open].partner;
    if (close <= open + 2 || !ends_in_star(close)) return false;
    for (Index k = open + 1; k + 1 < close; ++k) {
      if (t.is(k, '(') || t.is(k, '[')) return false;
    }
    return t.is(close + 1, '(') || t.is(close + 1, '&') || t.is_identifier(close + 1);
  }

  /// Behind a name or parentheses with all that is attached to them, or kNone.
  Index operand_end(Index i) const {
    if (t.is(i, '&')) ++i;
    if (t.is(i, '(')) {
      i = t[i].partner + 1;
    } else if (t.is_identifier(i)) {
      ++i;
    } else {
      return kNone;
    }
    while (true) {
      if (t.is(i, '[') || t.is(i, '(')) {
        i = t[i].partner + 1;
      } else if (t.is(i, '.') || t.is(i, "->") || t.is(i, "::")) {
        i += 2;
      } else {
        return t.is(i, "++") || t.is(i, "--") || t.is(i, '<') ? kNone : i;
      }
    }
  }

  /// Tokens [begin, end) are the access. Members are left to the compiler, and an address is no access.
  void wrap(Index begin, Index end) {
    if (t.is(end, '.') || t.is(end, '[') || t.is(begin - 1, '&')) return;
    context_.edits.insert_before(begin, std::string("::offgrid::emu::vector_") + (t.is(end, '=') ? "write(" : "read("));
    context_.edits.insert_after(end - 1, ")");
  }

  PassContext& context_;
  const SourceText& t;
  std::unordered_set<std::string_view> names_;
};

}  // namespace

void rewrite_vector_accesses(PassContext& context) {
  if (context.options.checked) VectorAccesses(context).run();
}

}  // namespace offgrid::emu::rewrite
