/// What kind of braces a token stands in.
#pragma once

#include <unordered_map>

#include "rewrite/source_text.h"

namespace offgrid::emu::rewrite {

enum class ScopeKind {
  kNamespace,  ///< also `extern "C" { }`
  kClass,
  kOther,  ///< function body, block, initialiser, enum
};

/// Classifies braces on demand, by the words in front of them.
class Scopes {
 public:
  explicit Scopes(const SourceText& source) : source_(source) {}

  ScopeKind kind(Index open_brace);

  /// True if nothing but namespaces is around the token.
  bool at_namespace_scope(Index token);
  /// True if the innermost brace around the token is a class's.
  bool in_class(Index token) {
    return source_[token].brace != kNone && kind(source_[token].brace) == ScopeKind::kClass;
  }

 private:
  ScopeKind classify(Index open_brace) const;

  const SourceText& source_;
  std::unordered_map<Index, ScopeKind> known_;
};

/// The first token of the declaration or statement that `token` belongs to: behind the nearest `;`, `{`, `}`, `:` or
/// `(` before it. A class body inside the declaration is part of it.
Index declaration_begin(const SourceText& source, Index token);

}  // namespace offgrid::emu::rewrite
