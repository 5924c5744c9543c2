// In checked mode, reports know the element types of `__device__` and `__constant__` variables: behind each declaration
// stands an entry of a section that lists them (variable_type.h). A declaration that cannot be read has none. Red zones
// keep variables of one file apart: compilers place them in the order of the text or in its reverse, those with and
// without a first value by themselves.
#include "rewrite/pass.h"
#include "rewrite/variable_declaration.h"

namespace offgrid::emu::rewrite {
namespace {

bool is_listed(PassContext& context, Index word) {
  const SourceText& t = context.source;
  if (!context.scopes.at_namespace_scope(word)) return false;
  if (read_declaration(t, word).kind != Declaration::Kind::kVariable) return false;
  for (Index i = declaration_begin(t, word); i < word; ++i) {
    if (t.is(i, "template") || t.is(i, '(')) return false;
  }
  return true;
}

std::string entry(std::string_view name) {
  const std::string n(name);
  return " static ::offgrid::emu::VariableType " + n +
         "_offgrid_v __attribute__((used, section(\"offgrid_variables\"))) = {__builtin_addressof(" + n +
         "), ::offgrid::emu::element_type_of(__builtin_addressof(" + n + "))};";
}

/// `place` tells the zone before from the one behind.
std::string red_zones(std::string_view name, const char* place) {
  const std::string zone = " __attribute__((used)) char " + std::string(name) + "_offgrid_z" + place;
  return "static" + zone + "0[256]; static" + zone + "1[256] = {1};";
}

void list(PassContext& context, Index word) {
  const VariableDeclaration d = read_variable_declaration(context.source, word, Initialisers::kAllowed);
  if (d.is_extern) return;
  if (context.source.is(d.names.front() - 1, "::")) return;  // a member's definition
  const std::string_view first = context.source.spelling(d.names.front());
  context.edits.insert_before(declaration_begin(context.source, word), red_zones(first, "b") + " ");
  context.edits.insert_after(d.semicolon, " " + red_zones(first, "e"));
  for (const Index name : d.names) context.edits.insert_after(d.semicolon, entry(context.source.spelling(name)));
}

}  // namespace

void rewrite_variable_types(PassContext& context) {
  if (!context.options.checked) return;
  Index last = kNone;  // two words may belong to one declaration
  for (const WordAt& at : context.words) {
    if (at.word != Word::kDevice && at.word != Word::kVariableSpace) continue;
    if (!is_listed(context, at.token)) continue;
    const Index begin = declaration_begin(context.source, at.token);
    if (begin == last) continue;
    last = begin;
    try {
      list(context, at.token);
    } catch (const RewriteError&) {
    }
  }
}

}  // namespace offgrid::emu::rewrite
