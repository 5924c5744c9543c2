/// What the passes share: the text, its edits, and where its device code is. Each pass is one file and one function.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rewrite/declaration.h"
#include "rewrite/edits.h"
#include "rewrite/rewrite.h"
#include "rewrite/scope.h"
#include "rewrite/source_text.h"
#include "rewrite/words.h"

namespace offgrid::emu::rewrite {

/// A token that is one of our words.
struct WordAt {
  Index token;
  Word word;
};

/// A function or lambda marked `__global__` or `__device__`, with a body.
struct DeviceFunction {
  Declaration declaration;
  std::vector<Parameter> parameters;
};

struct PassContext {
  PassContext(std::string_view text, std::string_view file, const RewriteOptions& rewrite_options)
      : source(text, file, rewrite_options.folder), edits(source), scopes(source), options(rewrite_options) {}

  SourceText source;
  Edits edits;
  Scopes scopes;
  const RewriteOptions& options;
  std::vector<WordAt> words;                                ///< in the order of the text
  std::unordered_map<Index, DeviceFunction> device_bodies;  ///< by the body's `{`
  std::unordered_set<std::string_view> file_scope_shared;   ///< __shared__ names at namespace scope

  /// True if a `__global__` or `__device__` function's body is around the token.
  bool in_device_code(Index token) const;
  /// True if a parameter of a device function around the token has this name.
  bool is_device_parameter(Index token, std::string_view name) const;
};

void find_device_functions(PassContext& context);     ///< fills device_bodies
void rewrite_shared_variables(PassContext& context);  ///< `__shared__` declarations; fills file_scope_shared
void rewrite_kernels(PassContext& context);           ///< `__global__`
void rewrite_specifier_words(PassContext& context);   ///< the other specifiers
void rewrite_device_names(PassContext& context);      ///< threadIdx and friends, and uses of file-scope shared arrays
void rewrite_inline_ptx(PassContext& context);        ///< asm statements in device code
void rewrite_spin_loops(PassContext& context);        ///< a turn for others in loops that may wait for them
void rewrite_vector_accesses(PassContext& context);   ///< checked mode: alignment of whole vectors
void rewrite_variable_types(PassContext& context);    ///< checked mode: what device variables hold
void rewrite_launches(PassContext& context);          ///< `<<<...>>>`; last, because it moves rewritten text

}  // namespace offgrid::emu::rewrite
