// Inside device code `threadIdx.x` becomes a call of a pure function, and a shared array declared at file scope is
// looked up in the running block. Host code may use the same names for its own variables; so may device code, where a
// parameter or local variable hides the built-in one.
#include "rewrite/pass.h"

namespace offgrid::emu::rewrite {
namespace {

struct IndexVariable {
  std::string_view name;
  std::string_view component;  ///< prefix of the function for one component
  std::string_view whole;      ///< the function for all three
};
constexpr IndexVariable kIndexVariables[] = {
    {"threadIdx", "offgrid_thread_", "offgrid::emu::thread_index()"},
    {"blockIdx", "offgrid_block_", "offgrid::emu::block_index()"},
    {"blockDim", "offgrid_block_dim_", "offgrid::emu::block_dim()"},
    {"gridDim", "offgrid_grid_dim_", "offgrid::emu::grid_dim()"},
};

/// A local declaration of a name that would otherwise be replaced.
struct LocalName {
  Index token;
  std::string_view name;
};

bool is_member(const SourceText& t, Index i) { return t.is(i - 1, '.') || t.is(i - 1, "->"); }

/// `int warpSize = 32;`, `auto blockDim(...)`: a name behind a type.
bool declares(const SourceText& t, Index i) {
  const std::string_view before = t.spelling(i - 1);
  const bool behind_type = t.is_identifier(i - 1) && !is_expression_keyword(before) && before != "template";
  if (!behind_type) return false;
  return t.is(i + 1, '=') || t.is(i + 1, ';') || t.is(i + 1, ',') || t.is(i + 1, '(') || t.is(i + 1, '{') ||
         t.is(i + 1, '[') || t.is(i + 1, ')') || t.is(i + 1, ':');
}

class NameRewriter {
 public:
  explicit NameRewriter(PassContext& context) : context_(context), t(context.source) {}

  void visit(Index i) {
    const std::string_view name = t.spelling(i);
    if (is_member(t, i) || !context_.in_device_code(i) || context_.is_device_parameter(i, name)) return;
    if (declares(t, i)) {
      locals_.push_back({i, name});
    } else if (!hidden(i, name)) {
      replace(i, name);
    }
  }

 private:
  bool hidden(Index i, std::string_view name) const {
    for (const LocalName& local : locals_) {
      if (local.name == name && local.token < i && encloses(t[local.token].brace, i)) return true;
    }
    return false;
  }

  bool encloses(Index brace, Index i) const {
    for (Index b = t[i].brace; b != kNone; b = t[b].brace) {
      if (b == brace) return true;
    }
    return false;
  }

  void replace(Index i, std::string_view name) {
    const std::string qualifier = t.is(i - 1, "::") ? "" : "::";
    if (name == "warpSize") return context_.edits.replace(i, qualifier + "offgrid_warp_size()");
    for (const IndexVariable& v : kIndexVariables) {
      if (name != v.name) continue;
      const std::string_view component = t.spelling(i + 2);
      if (t.is(i + 1, '.') && (component == "x" || component == "y" || component == "z")) {
        context_.edits.replace(i, qualifier + std::string(v.component) + std::string(component) + "()");
        context_.edits.erase(i + 1);
        context_.edits.erase(i + 2);
      } else {
        context_.edits.replace(i, qualifier + std::string(v.whole));
      }
      return;
    }
    // A shared array at file scope: `+` yields the running block's one; its address is taken by the object's own `&`.
    if (!t.is(i - 1, '&') && !t.is(i - 1, "::")) context_.edits.replace(i, "(+" + std::string(name) + ")");
  }

  PassContext& context_;
  const SourceText& t;
  std::vector<LocalName> locals_;
};

}  // namespace

void rewrite_device_names(PassContext& context) {
  NameRewriter rewriter(context);
  if (context.file_scope_shared.empty()) {
    for (const WordAt& at : context.words) {
      if (at.word == Word::kIndexVariable || at.word == Word::kWarpSize) rewriter.visit(at.token);
    }
    return;
  }
  const SourceText& t = context.source;
  for (Index i = 0; i < t.size(); ++i) {
    if (t[i].kind != TokenKind::kIdentifier || context.edits.replaced(i)) continue;
    const Word word = find_word(t.spelling(i));
    if (word == Word::kIndexVariable || word == Word::kWarpSize || context.file_scope_shared.contains(t.spelling(i))) {
      rewriter.visit(i);
    }
  }
}

}  // namespace offgrid::emu::rewrite
