#include "rewrite/rewrite.h"

#include "rewrite/pass.h"

namespace offgrid::emu::rewrite {
namespace {

std::string unquoted(std::string_view literal) {
  std::string out;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] == '\\' && i + 2 < literal.size()) ++i;
    out += literal[i];
  }
  return out;
}

/// Lists our words. False if there is nothing to rewrite.
bool find_words(PassContext& context) {
  const SourceText& t = context.source;
  bool found = false;
  for (Index i = 0; i < t.size(); ++i) {
    if (t[i].kind == TokenKind::kIdentifier) {
      const Word word = find_word(t.spelling(i));
      if (word == Word::kNone) continue;
      context.words.push_back({i, word});
      found |= is_specifier(word);
    } else if (t.is(i, '<') && t.is_run(i, '<', 3)) {
      found = true;
    }
  }
  return found;
}

}  // namespace

bool PassContext::in_device_code(Index token) const {
  for (Index b = source[token].brace; b != kNone; b = source[b].brace) {
    if (device_bodies.contains(b)) return true;
  }
  return false;
}

bool PassContext::is_device_parameter(Index token, std::string_view name) const {
  for (Index b = source[token].brace; b != kNone; b = source[b].brace) {
    const auto found = device_bodies.find(b);
    if (found == device_bodies.end()) continue;
    for (const Parameter& p : found->second.parameters) {
      if (source.is(p.name, name)) return true;
    }
  }
  return false;
}

RewriteResult rewrite(std::string_view text, const RewriteOptions& options) {
  const std::string file = '"' + escaped(options.file) + '"';
  PassContext context(text, file, options);
  if (!find_words(context)) return {std::string(text), {}};
  try {
    context.source.match_brackets();
    find_device_functions(context);
    rewrite_shared_variables(context);
    rewrite_kernels(context);
    rewrite_specifier_words(context);
    rewrite_device_names(context);
    rewrite_inline_ptx(context);
    rewrite_spin_loops(context);
    rewrite_vector_accesses(context);
    rewrite_variable_types(context);
    rewrite_launches(context);
  } catch (const RewriteError& error) {
    return {"", {{unquoted(error.place.file), error.place.line, error.what()}}};
  }
  return {context.edits.apply(), {}};
}

}  // namespace offgrid::emu::rewrite
