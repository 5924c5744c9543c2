/// Reads the declaration that a specifier word (`__global__`, `__device__`, ...) belongs to.
#pragma once

#include <vector>

#include "rewrite/source_text.h"

namespace offgrid::emu::rewrite {

struct Parameter {
  Index begin = kNone, end = kNone;  ///< tokens without a default argument
  Index name = kNone;                ///< kNone: unnamed
  Index name_place = kNone;          ///< unnamed: a name belongs before this token
  bool pack = false;
};

struct Declaration {
  enum class Kind { kFunction, kLambda, kVariable, kUnknown } kind = Kind::kUnknown;
  Index name = kNone;        ///< of a function: its last token that is an identifier, `operator` or `~`
  Index open_paren = kNone;  ///< of the parameters; kNone for a lambda without any
  Index close_paren = kNone;
  Index body = kNone;  ///< `{` of the definition; kNone for a prototype
};

/// The declaration around the specifier word at `specifier`.
Declaration read_declaration(const SourceText& source, Index specifier);

/// Parameters between the parentheses. `(void)` and `()` have none; a C ellipsis is left out.
std::vector<Parameter> read_parameters(const SourceText& source, Index open_paren, Index close_paren);

/// The token behind an attribute or specifier with its arguments, or `i` itself if there is none at `i`:
/// `[[...]]`, `__attribute__((...))`, `alignas(...)`, `__launch_bounds__(...)`, `__device__`.
Index skip_attribute(const SourceText& source, Index i);

}  // namespace offgrid::emu::rewrite
