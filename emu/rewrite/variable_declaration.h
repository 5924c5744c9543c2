/// Reads the declaration of variables that a word such as `__shared__` belongs to.
#pragma once

#include <vector>

#include "rewrite/source_text.h"

namespace offgrid::emu::rewrite {

struct VariableDeclaration {
  Index begin = kNone;  ///< behind leading attributes
  Index semicolon = kNone;
  bool is_extern = false;
  std::vector<Index> names;
};

enum class Initialisers { kForbidden, kAllowed };

/// Throws RewriteError at what it cannot read.
VariableDeclaration read_variable_declaration(const SourceText& source, Index word, Initialisers initialisers);

}  // namespace offgrid::emu::rewrite
