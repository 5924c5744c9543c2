#include "rewrite/variable_declaration.h"

#include "rewrite/declaration.h"
#include "rewrite/scope.h"
#include "rewrite/words.h"

namespace offgrid::emu::rewrite {
namespace {

class VariableReader {
 public:
  VariableReader(const SourceText& source, Index word, Initialisers initialisers)
      : t(source), word_(word), initialisers_(initialisers) {}

  VariableDeclaration run() {
    d_.begin = declaration_begin(t, word_);
    while (t.is(d_.begin, '[') && t.is(d_.begin + 1, '[')) d_.begin = t[d_.begin].partner + 1;
    Index i = specifiers();
    while (true) {
      i = initialiser(declarator(i));
      if (t.is(i, ';')) break;
      if (!t.is(i, ',')) fail(i);
      ++i;
    }
    d_.semicolon = i;
    return d_;
  }

 private:
  [[noreturn]] void fail(Index i) const {
    if (begins_initialiser(i)) {
      throw RewriteError(t.place(i), "a __shared__ variable cannot have an initializer");
    }
    throw RewriteError(t.place(i), "cannot read this " + std::string(t.spelling(word_)) + " declaration at '" +
                                       std::string(t.spelling(i)) + "'");
  }

  bool begins_initialiser(Index i) const { return t.is(i, '=') || t.is(i, '{') || t.is(i, '('); }

  /// The token behind an initialiser at `i`, if there may be one.
  Index initialiser(Index i) const {
    if (initialisers_ == Initialisers::kForbidden || !begins_initialiser(i)) return i;
    while (i < t.size() && !t.is(i, ';') && !t.is(i, ',')) {
      const bool opens = t.is(i, '(') || t.is(i, '[') || t.is(i, '{');
      i = opens ? t[i].partner + 1 : i + 1;
    }
    return i;
  }

  /// Reads specifiers and the type; returns the first token of the first declarator.
  Index specifiers() {
    bool has_type = false;
    for (Index i = d_.begin; i < t.size();) {
      const Index next = skip_attribute(t, i);
      const std::string_view word = t.spelling(i);
      if (next != i) {
        i = next;
      } else if (word == "struct" || word == "class" || word == "union" || word == "enum") {
        has_type = true;
        i = class_type(i + 1);
      } else if ((word == "decltype" || word == "__typeof__" || word == "typeof") && t.is(i + 1, '(')) {
        has_type = true;
        i = t[i + 1].partner + 1;
      } else if (t.is_identifier(i) && is_builtin_type(word)) {
        has_type = true;
        ++i;
      } else if (t.is_identifier(i) && is_keyword(word)) {
        d_.is_extern |= word == "extern";
        ++i;
      } else if ((t.is_identifier(i) || t.is(i, "::")) && !has_type) {
        has_type = true;
        i = qualified_type(i);
      } else {
        return i;
      }
    }
    return t.size();
  }

  Index class_type(Index i) {
    while (skip_attribute(t, i) != i) i = skip_attribute(t, i);
    if (t.is_identifier(i) || t.is(i, "::")) i = qualified_type(i);
    return t.is(i, '{') ? t[i].partner + 1 : i;
  }

  Index qualified_type(Index i) {
    if (t.is(i, "::")) ++i;
    while (t.is_identifier(i)) {
      ++i;
      if (t.is(i, '<')) {
        const Index close = t.close_angle(i);
        if (close == kNone) fail(i);
        i = close + 1;
      }
      if (!t.is(i, "::")) break;
      ++i;
      if (t.is(i, "template")) ++i;
    }
    return i;
  }

  /// Reads `*const (*name)[4]`, `name[2][3]`, ...; returns the token behind it.
  Index declarator(Index i) {
    Index name = kNone;
    for (; i < t.size() && !t.is(i, ';') && !t.is(i, ',');) {
      if (name != kNone && initialisers_ == Initialisers::kAllowed && begins_initialiser(i) && !t.is(i - 1, ')')) break;
      const Index next = skip_attribute(t, i);
      if (next != i) {
        i = next;
      } else if (t.is(i, '(') && name == kNone) {
        name = name_inside(i);
        i = t[i].partner + 1;
      } else if (t.is(i, '[') && name != kNone) {
        i = t[i].partner + 1;
      } else if (t.is(i, '(') && name < i && t.is(i - 1, ')')) {
        i = t[i].partner + 1;  // parameters of a function pointer
      } else if (t.is_identifier(i) && !is_keyword(t.spelling(i)) && name == kNone) {
        name = i++;
      } else if (t.is(i, '*') || t.is(i, '&') || t.is_identifier(i)) {
        ++i;
      } else {
        fail(i);
      }
    }
    if (name == kNone) fail(i);
    d_.names.push_back(name);
    return i;
  }

  Index name_inside(Index open) const {
    for (Index i = open + 1; i < t[open].partner; ++i) {
      if (t.is_identifier(i) && !is_keyword(t.spelling(i))) return i;
    }
    fail(open);
  }

  const SourceText& t;
  Index word_;
  Initialisers initialisers_;
  VariableDeclaration d_;
};

}  // namespace

VariableDeclaration read_variable_declaration(const SourceText& source, Index word, Initialisers initialisers) {
  return VariableReader(source, word, initialisers).run();
}

}  // namespace offgrid::emu::rewrite
