// `__shared__` declarations. In a function, each becomes a typedef of the variable's type, a static SharedVariable that
// knows its place in the block's arena, and a reference; at namespace scope, an object that finds the block's copy when
// used (shared_variable.h). The declarators stay where they are: only their names change.
#include "rewrite/pass.h"
#include "rewrite/variable_declaration.h"

namespace offgrid::emu::rewrite {
namespace {

class SharedRewriter {
 public:
  SharedRewriter(PassContext& context, Index word)
      : context_(context), t(context.source), d_(read_variable_declaration(t, word, Initialisers::kForbidden)) {}

  void run() {
    if (context_.edits.replaced(d_.semicolon)) return;
    const bool file_scope = context_.scopes.at_namespace_scope(d_.begin);
    if (file_scope && is_repeated()) return context_.edits.erase_range(d_.begin, d_.semicolon);
    const std::string prefix = drop_specifiers();
    context_.edits.insert_before(d_.begin, prefix + "typedef ");
    std::string declarations;
    for (Index name : d_.names) {
      context_.edits.insert_after(name, "_offgrid_t");
      declarations += " " + (file_scope ? file_scope_object(name) : local_reference(name));
    }
    context_.edits.insert_after(d_.semicolon, declarations);
  }

 private:
  /// An `extern __shared__` array may be declared again and again at namespace scope; the object only once.
  bool is_repeated() {
    bool repeated = true;
    for (Index name : d_.names) repeated &= !context_.file_scope_shared.insert(t.spelling(name)).second;
    return repeated;
  }

  /// Removes storage words and turns alignment specifiers into what a typedef can have: an attribute if the alignment
  /// is a plain number; else, because it may be a type or depend on template parameters, a helper class whose alignment
  /// the variable takes. Returns the text of the helper class.
  std::string drop_specifiers() {
    std::string helpers;
    const Index end = d_.names.front();
    for (Index i = d_.begin; i < end; ++i) {
      const std::string_view word = t.spelling(i);
      if (t.is(i, '{')) {
        i = t[i].partner;
      } else if (word == "__shared__" || word == "static" || word == "extern" || word == "__device__") {
        context_.edits.erase(i);
      } else if (is_alignment(i)) {
        helpers += alignment(i);
        i = t[i + 1].partner;
      }
    }
    return helpers;
  }

  /// An alignment specifier of the variable, not of a class in its declaration.
  bool is_alignment(Index i) const {
    const std::string_view word = t.spelling(i);
    if (word != "alignas" && word != "_Alignas" && find_word(word) != Word::kAlign) return false;
    return t.is(i + 1, '(') && !t.is(i - 1, "struct") && !t.is(i - 1, "union") && !t.is(i - 1, "class");
  }

  std::string alignment(Index i) {
    const Index open = i + 1, close = t[open].partner;
    if (close == open + 2 && t[open + 1].kind == TokenKind::kNumber) {
      context_.edits.insert_after(close, "))");
      context_.edits.replace(i, "__attribute__((aligned");
      return "";
    }
    const std::string operand = context_.edits.on_one_line(open + 1, close);
    context_.edits.erase_range(i, close + 1);
    if (d_.is_extern) return "";  // the dynamic part is aligned for everything
    helper_ = std::string(t.spelling(d_.names.front())) + "_offgrid_a";
    return "struct alignas(" + operand + ") " + helper_ + " {}; ";
  }

  /// `{"s", {"file", 12}, sizeof(s_offgrid_t), alignof(s_offgrid_t), element_type_of(...)}`
  std::string variable(Index name) const {
    const std::string n(t.spelling(name));
    const std::string own = "alignof(" + n + "_offgrid_t)";
    const std::string alignment =
        helper_.empty() ? own : own + " > alignof(" + helper_ + ") ? " + own + " : alignof(" + helper_ + ")";
    return "{\"" + n + "\", " + t.source_line(name) + ", sizeof(" + n + "_offgrid_t), " + alignment +
           ", ::offgrid::emu::element_type_of(static_cast<" + n + "_offgrid_t*>(nullptr))}";
  }

  std::string local_reference(Index name) const {
    const std::string n(t.spelling(name));
    const std::string reference = n + "_offgrid_t& " + n + " = *static_cast<" + n + "_offgrid_t*>(";
    if (d_.is_extern) return reference + "::offgrid::emu::dynamic_shared());";
    return "static ::offgrid::emu::SharedVariable " + n + "_offgrid_v" + variable(name) + "; " + reference + n +
           "_offgrid_v.address());";
  }

  std::string file_scope_object(Index name) {
    const std::string n(t.spelling(name));
    context_.file_scope_shared.insert(t.spelling(name));
    if (d_.is_extern) {
      return "static const ::offgrid::emu::DynamicSharedArray<::std::remove_extent_t<" + n + "_offgrid_t>> " + n +
             "{};";
    }
    return "static const ::offgrid::emu::StaticShared<" + n + "_offgrid_t> " + n + "{" + variable(name) + "};";
  }

  PassContext& context_;
  const SourceText& t;
  VariableDeclaration d_;
  std::string helper_;  // class with the alignment of an alignment specifier
};

}  // namespace

void rewrite_shared_variables(PassContext& context) {
  for (const WordAt& at : context.words) {
    if (at.word == Word::kShared && !context.edits.replaced(at.token)) SharedRewriter(context, at.token).run();
  }
}

}  // namespace offgrid::emu::rewrite
