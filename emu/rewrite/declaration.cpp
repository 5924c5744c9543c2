#include "rewrite/declaration.h"

#include "rewrite/words.h"

namespace offgrid::emu::rewrite {
namespace {

/// `(` of a declarator: `(*f)(int)`, `(&a)[4]`, `(C::*m)()`.
bool opens_declarator(const SourceText& t, Index paren) {
  Index i = paren + 1;
  if (t.is(i, '*') || t.is(i, '&') || t.is(i, "&&") || t.is(i, '^')) return true;
  while (t.is_identifier(i) && t.is(i + 1, "::")) i += 2;
  return i != paren + 1 && t.is(i, '*');
}

/// Behind a `requires` clause whose keyword is at `i`.
Index skip_requires(const SourceText& t, Index i) {
  bool nested = false;  // behind the keyword of a requires-expression
  for (++i; i < t.size();) {
    if (t.is(i, "requires")) {
      nested = true;
      ++i;
    } else if (t.is(i, '(')) {
      i = t[i].partner + 1;
    } else if (t.is(i, '{')) {
      if (!nested) return i;
      nested = false;
      i = t[i].partner + 1;
    } else if (t.is(i, '<')) {
      const Index close = t.close_angle(i);
      if (close == kNone) return i;
      i = close + 1;
    } else if (t.is(i, ';') || t.is(i, "->") || t.is(i, '}')) {
      return i;
    } else {
      ++i;
    }
  }
  return i;
}

/// Behind a constructor's initialiser list; `i` is at its colon.
Index skip_initialisers(const SourceText& t, Index i) {
  for (++i; i < t.size();) {
    while (t.is_identifier(i) || t.is(i, "::") || t.is(i, '<')) {
      if (t.is(i, '<')) {
        i = t.close_angle(i);
        if (i == kNone) return kNone;
      }
      ++i;
    }
    if (!t.is(i, '(') && !t.is(i, '{')) return i;
    i = t[i].partner + 1;
    if (t.is(i, "...")) ++i;
    if (!t.is(i, ',')) return i;
    ++i;
  }
  return i;
}

/// The `{` of the body that follows a parameter list, or kNone.
Index find_body(const SourceText& t, Index i) {
  while (i < t.size()) {
    const Index next = skip_attribute(t, i);
    if (next != i) {
      i = next;
    } else if (t.is(i, '{')) {
      return i;
    } else if (t.is(i, "->")) {
      for (++i; i < t.size() && !t.is(i, '{') && !t.is(i, ';') && !t.is(i, "requires");) {
        if (t.is(i, '(') || t.is(i, '[')) {
          i = t[i].partner + 1;
        } else if (t.is(i, '<')) {
          const Index close = t.close_angle(i);
          i = close == kNone ? i + 1 : close + 1;
        } else if (t.is(i, ')') || t.is(i, ',')) {
          return kNone;
        } else {
          ++i;
        }
      }
    } else if (t.is(i, "requires")) {
      i = skip_requires(t, i);
    } else if (t.is(i, ':')) {
      i = skip_initialisers(t, i);
      return t.is(i, '{') ? i : kNone;
    } else if (t.is(i, '(') && (t.is(i - 1, "noexcept") || t.is(i - 1, "throw"))) {
      i = t[i].partner + 1;
    } else if (t.is(i, '&') || t.is(i, "&&") || (t.is_identifier(i) && is_keyword(t.spelling(i))) ||
               t.is(i, "override") || t.is(i, "final") || t.is(i, "throw")) {
      ++i;
    } else {
      return kNone;
    }
  }
  return kNone;
}

Declaration read_lambda(const SourceText& t, Index open_paren, Index behind) {
  Declaration d;
  d.kind = Declaration::Kind::kLambda;
  d.open_paren = open_paren;
  if (open_paren != kNone) {
    d.close_paren = t[open_paren].partner;
    behind = d.close_paren + 1;
  }
  d.body = find_body(t, behind);
  return d;
}

Declaration read_function(const SourceText& t, Index name, Index open_paren) {
  Declaration d;
  d.kind = Declaration::Kind::kFunction;
  d.name = name;
  d.open_paren = open_paren;
  d.close_paren = t[open_paren].partner;
  d.body = find_body(t, d.close_paren + 1);
  return d;
}

/// The first word of the run of specifier words that ends at `i`.
Index first_specifier(const SourceText& t, Index i) {
  while (i > 0 && is_specifier(find_word(t.spelling(i - 1)))) --i;
  return i;
}

/// True if `bracket` is a `]` that closes a lambda's captures (and not an attribute).
bool closes_captures(const SourceText& t, Index bracket) { return t.is(bracket, ']') && !t.is(bracket - 1, ']'); }

class ParameterReader {
 public:
  ParameterReader(const SourceText& source, Index begin, Index end) : t(source) {
    p_.begin = begin;
    p_.end = end;
    p_.name_place = end;
  }

  Parameter run() {
    for (Index i = p_.begin; i < p_.end;) i = step(i);
    return p_;
  }

 private:
  /// Reads what is at `i` and returns the token behind it.
  Index step(Index i) {
    const Index next = skip_attribute(t, i);
    if (next != i) return next;
    const std::string_view word = t.spelling(i);
    if (t.is(i, '[')) return array(i);
    if (t.is(i, '(')) return has_type_ && opens_declarator(t, i) ? declarator(i) : t[i].partner + 1;
    if (t.is(i, '<')) {
      const Index close = t.close_angle(i);
      return close == kNone ? i + 1 : close + 1;
    }
    if (t.is(i, "...")) p_.pack = true;
    if (!t.is_identifier(i)) return i + 1;
    if (word == "decltype" || word == "__typeof__" || word == "typeof") {
      has_type_ = true;
      return t[i + 1].partner + 1;
    }
    if (is_builtin_type(word)) {
      has_type_ = true;
    } else if (!is_keyword(word)) {
      if (!has_type_) return qualified_type(i);
      if (!t.is(i + 1, "::") && !t.is(i - 1, "::") && !declared_) p_.name = i;
    }
    return i + 1;
  }

  Index qualified_type(Index i) {
    has_type_ = true;
    while (i < p_.end) {
      if (t.is(i + 1, '<')) {
        const Index close = t.close_angle(i + 1);
        if (close == kNone || close >= p_.end) return i + 1;
        i = close;
      }
      if (!t.is(i + 1, "::")) return i + 1;
      i += t.is(i + 2, "template") ? 3 : 2;
    }
    return i;
  }

  Index array(Index i) {
    if (p_.name == kNone && !declared_) p_.name_place = i;
    declared_ = true;
    return t[i].partner + 1;
  }

  /// `(*name)`, `(&name)[4]`, `(*name[3])(int)`, `(*)(int)`; what follows the parentheses belongs to the type.
  Index declarator(Index open) {
    const Index close = t[open].partner;
    declared_ = true;
    p_.name_place = close;
    for (Index i = open + 1; i < close; ++i) {
      if (t.is(i, "...")) p_.pack = true;
      if (t.is(i, '(') && opens_declarator(t, i)) return declarator(i), p_.end;
      if (t.is(i, '[') || t.is(i, '(')) {
        if (p_.name == kNone) p_.name_place = i;
        break;
      }
      if (t.is_identifier(i) && !is_keyword(t.spelling(i)) && !t.is(i + 1, "::")) p_.name = i;
    }
    return p_.end;
  }

  const SourceText& t;
  Parameter p_;
  bool has_type_ = false;
  bool declared_ = false;  // the declarator has been seen: what follows is no name
};

}  // namespace

Index skip_attribute(const SourceText& t, Index i) {
  if (t.is(i, '[') && t.is(i + 1, '[')) return t[i].partner + 1;
  if (!t.is_identifier(i)) return i;
  const std::string_view word = t.spelling(i);
  switch (find_word(word)) {
    case Word::kAlign:
    case Word::kLaunchBounds:
    case Word::kDroppedWithArguments:
      return t.is(i + 1, '(') ? t[i + 1].partner + 1 : i + 1;
    case Word::kNone:
      break;
    default:
      return is_specifier(find_word(word)) ? i + 1 : i;
  }
  if (word == "__attribute__" || word == "__attribute" || word == "alignas" || word == "_Alignas" ||
      word == "__declspec") {
    return t.is(i + 1, '(') ? t[i + 1].partner + 1 : i + 1;
  }
  return i;
}

Declaration read_declaration(const SourceText& t, Index specifier) {
  const Index first = first_specifier(t, specifier);
  Index i = specifier;
  if (first > 0 && closes_captures(t, first - 1)) {
    while (skip_attribute(t, i) != i) i = skip_attribute(t, i);
    return read_lambda(t, t.is(i, '(') ? i : kNone, i);
  }
  if (first > 0 && t.is(first - 1, ')')) {
    const Index open = t[first - 1].partner;
    if (open > 0 && (t.is(open - 1, ']') || t.is(open - 1, '>'))) return read_lambda(t, open, i);
  }

  Declaration d;
  bool class_key = false;
  for (; i < t.size();) {
    const Index next = skip_attribute(t, i);
    const std::string_view word = t.spelling(i);
    if (next != i) {
      i = next;
    } else if (word == "operator") {
      d.name = i++;
      if (t.is(i, '(') && t.is(i + 1, ')')) i += 2;
      while (i < t.size() && !t.is(i, '(') && !t.is(i, ';')) ++i;
    } else if (t.is(i, '<')) {
      const Index close = t.close_angle(i);
      i = close == kNone ? i + 1 : close + 1;
    } else if (t.is(i, '(')) {
      if (d.name == kNone && t.is(first - 1, '>')) return read_lambda(t, i, i);
      if (d.name == kNone || opens_declarator(t, i)) {
        d.kind = Declaration::Kind::kVariable;  // a pointer to a function or to an array
        return d;
      }
      return read_function(t, d.name, i);
    } else if (t.is_identifier(i)) {
      if ((word == "decltype" || word == "explicit" || word == "__typeof__" || word == "typeof") && t.is(i + 1, '(')) {
        i = t[i + 1].partner + 1;
        continue;
      }
      class_key |= word == "struct" || word == "class" || word == "union" || word == "enum";
      if (!is_keyword(word)) d.name = i;
      ++i;
    } else if (t.is(i, '{') && class_key) {
      i = t[i].partner + 1;
      class_key = false;
    } else if (t.is(i, '=') || t.is(i, ';') || t.is(i, ',') || t.is(i, '{') || t.is(i, '[')) {
      d.kind = Declaration::Kind::kVariable;
      return d;
    } else if (t.is(i, ')') || t.is(i, '}') || t.is(i, ']')) {
      return d;
    } else {
      ++i;
    }
  }
  return d;
}

std::vector<Parameter> read_parameters(const SourceText& t, Index open_paren, Index close_paren) {
  std::vector<Parameter> parameters;
  if (open_paren == kNone) return parameters;
  Index begin = open_paren + 1;
  Index default_argument = kNone;
  auto finish = [&](Index end) {
    const Index type_end = default_argument == kNone ? end : default_argument;
    const bool empty = begin == type_end || (begin + 1 == type_end && (t.is(begin, "void") || t.is(begin, "...")));
    if (!empty) parameters.push_back(ParameterReader(t, begin, type_end).run());
    default_argument = kNone;
    begin = end + 1;
  };
  for (Index i = begin; i < close_paren; ++i) {
    if (t.is(i, ',')) {
      finish(i);
    } else if (t.is(i, '=') && default_argument == kNone) {
      default_argument = i;
    } else if (t.is(i, '(') || t.is(i, '[') || t.is(i, '{')) {
      i = t[i].partner;
    } else if (t.is(i, '<') && t.is_identifier(i - 1)) {
      const Index close = t.close_angle(i);
      if (close != kNone && close < close_paren) i = close;
    }
  }
  finish(close_paren);
  return parameters;
}

}  // namespace offgrid::emu::rewrite
