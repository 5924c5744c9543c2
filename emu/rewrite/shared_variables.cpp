// `__shared__` declarations. In a function, each becomes a typedef of the variable's type, a static SharedVariable that
// knows its place in the block's arena, and a reference; at namespace scope, an object that finds the block's copy when
// used (shared_variable.h). The declarators stay where they are: only their names change.
#include "rewrite/pass.h"

namespace offgrid::emu::rewrite {
namespace {

struct SharedDeclaration {
  Index begin = kNone;  ///< behind leading attributes
  Index semicolon = kNone;
  bool is_extern = false;
  std::vector<Index> names;
};

class SharedReader {
 public:
  SharedReader(const SourceText& source, Index word) : t(source), word_(word) {}

  SharedDeclaration run() {
    d_.begin = declaration_begin(t, word_);
    while (t.is(d_.begin, '[') && t.is(d_.begin + 1, '[')) d_.begin = t[d_.begin].partner + 1;
    Index i = specifiers();
    while (true) {
      i = declarator(i);
      if (t.is(i, ';')) break;
      if (!t.is(i, ',')) fail(i);
      ++i;
    }
    d_.semicolon = i;
    return d_;
  }

 private:
  [[noreturn]] void fail(Index i) const {
    if (t.is(i, '=') || t.is(i, '{') || t.is(i, '(')) {
      throw RewriteError(t.place(i), "a __shared__ variable cannot have an initializer");
    }
    throw RewriteError(t.place(i), "cannot read this __shared__ declaration at '" + std::string(t.spelling(i)) + "'");
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
  SharedDeclaration d_;
};

class SharedRewriter {
 public:
  SharedRewriter(PassContext& context, Index word)
      : context_(context), t(context.source), d_(SharedReader(t, word).run()) {}

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

  /// `{"s", {"file", 12}, sizeof(s_offgrid_t), alignof(s_offgrid_t)}`
  std::string variable(Index name) const {
    const std::string n(t.spelling(name));
    const std::string own = "alignof(" + n + "_offgrid_t)";
    const std::string alignment =
        helper_.empty() ? own : own + " > alignof(" + helper_ + ") ? " + own + " : alignof(" + helper_ + ")";
    return "{\"" + n + "\", " + t.source_line(name) + ", sizeof(" + n + "_offgrid_t), " + alignment + "}";
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
  SharedDeclaration d_;
  std::string helper_;  // class with the alignment of an alignment specifier
};

}  // namespace

void rewrite_shared_variables(PassContext& context) {
  for (const WordAt& at : context.words) {
    if (at.word == Word::kShared && !context.edits.replaced(at.token)) SharedRewriter(context, at.token).run();
  }
}

}  // namespace offgrid::emu::rewrite
