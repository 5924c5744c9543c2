#include "rewrite/scope.h"

#include "rewrite/declaration.h"

namespace offgrid::emu::rewrite {
namespace {

bool is_class_key(std::string_view word) { return word == "class" || word == "struct" || word == "union"; }

/// True if `class-key attributes name<args>` from `i` on leads to the class body at `brace`.
bool is_class_head(const SourceText& t, Index i, Index brace) {
  ++i;
  while (i < brace) {
    const Index next = skip_attribute(t, i);
    if (next != i) {
      i = next;
    } else if (t.is(i, ':') || t.is(i, "final")) {
      return true;  // bases follow
    } else if (t.is(i, '<')) {
      const Index close = t.close_angle(i);
      if (close >= brace) return false;
      i = close + 1;
    } else if (t.is_identifier(i) && !t.is_identifier(i + 1)) {
      ++i;
    } else if (t.is_identifier(i) && (t.is(i + 1, "final") || skip_attribute(t, i + 1) != i + 1)) {
      ++i;
    } else if (t.is(i, "::")) {
      ++i;
    } else {
      return false;
    }
  }
  return i == brace;
}

/// The class key whose body opens at `brace`, or kNone.
Index class_head_of(const SourceText& t, Index brace) {
  for (Index i = brace; i > 0;) {
    --i;
    if (t.is(i, ')') || t.is(i, ']')) {
      i = t[i].partner;
    } else if (t.is(i, ';') || t.is(i, '{') || t.is(i, '}') || t.is(i, '(')) {
      return kNone;
    } else if ((is_class_key(t.spelling(i)) || t.is(i, "enum")) && is_class_head(t, i, brace)) {
      return t.is(i - 1, "enum") ? i - 1 : i;
    }
  }
  return kNone;
}

}  // namespace

ScopeKind Scopes::kind(Index open_brace) {
  const auto found = known_.find(open_brace);
  if (found != known_.end()) return found->second;
  return known_[open_brace] = classify(open_brace);
}

bool Scopes::at_namespace_scope(Index token) {
  for (Index b = source_[token].brace; b != kNone; b = source_[b].brace) {
    if (kind(b) != ScopeKind::kNamespace) return false;
  }
  return true;
}

ScopeKind Scopes::classify(Index brace) const {
  const Index head = class_head_of(source_, brace);
  if (head != kNone) return source_.is(head, "enum") ? ScopeKind::kOther : ScopeKind::kClass;
  if (brace >= 2 && source_.is(brace - 2, "extern") && source_[brace - 1].kind == TokenKind::kString) {
    return ScopeKind::kNamespace;
  }
  for (Index i = brace; i > 0;) {
    --i;
    if (source_.is(i, "namespace")) return ScopeKind::kNamespace;
    if (source_.is(i, ')') || source_.is(i, ']')) {
      i = source_[i].partner;  // attributes
    } else if (!source_.is_identifier(i) && !source_.is(i, "::")) {
      return ScopeKind::kOther;
    }
  }
  return ScopeKind::kOther;
}

Index declaration_begin(const SourceText& t, Index token) {
  Index i = token;
  while (i > 0) {
    const Index p = i - 1;
    if (t.is(p, ')') || t.is(p, ']')) {
      i = t[p].partner;
    } else if (t.is(p, '}')) {
      const Index head = class_head_of(t, t[p].partner);
      if (head == kNone) return i;
      i = head;  // `struct { ... } __shared__ x;`: the body is part of this declaration
    } else if (t.is(p, ';') || t.is(p, '{') || t.is(p, '(') || t.is(p, '[') || t.is(p, ':')) {
      return i;
    } else {
      i = p;
    }
  }
  return i;
}

}  // namespace offgrid::emu::rewrite
