// asm statements in device code hold PTX: each becomes a call of the interpreter in <offgrid/emu/ptx/execute.h>. Text,
// operands and their order stay in place. Statements of host functions, of system headers and of the emulator's own
// headers are the host's, and so are those without any instruction, which only order memory.
#include "rewrite/pass.h"

namespace offgrid::emu::rewrite {
namespace {

/// True if the string literals [begin, end) hold nothing but white space.
bool is_empty_text(const SourceText& t, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    std::string_view s = t.spelling(i);
    if (t[i].kind != TokenKind::kString || s.size() < 2) return false;
    s = s.substr(1, s.size() - 2);
    while (!s.empty()) {
      const std::size_t skip = s[0] == ' ' ? 1 : s.starts_with("\\n") || s.starts_with("\\t") ? 2 : 0;
      if (skip == 0) return false;
      s.remove_prefix(skip);
    }
  }
  return true;
}

class PtxRewriter {
 public:
  PtxRewriter(PassContext& context, Index keyword) : context_(context), t(context.source), keyword_(keyword) {}

  void run() {
    Index i = keyword_ + 1;
    while (t.is(i, "volatile") || t.is(i, "__volatile__") || t.is(i, "__volatile") || t.is(i, "inline")) ++i;
    if (t.is(i, "goto")) throw RewriteError(t.place(i), "asm goto is not supported in device code");
    if (!t.is(i, '(')) return;
    open_ = i;
    close_ = t[i].partner;
    const Index text_end = section_end(open_ + 1);
    if (is_empty_text(t, open_ + 1, text_end)) return;
    context_.edits.replace(keyword_, "::offgrid::emu::ptx::execute");
    for (Index q = keyword_ + 1; q < open_; ++q) context_.edits.erase(q);
    context_.edits.insert_after(open_, "[]() -> ::offgrid::emu::ptx::Site& { static ::offgrid::emu::ptx::Site site{" +
                                           t.source_line(keyword_) + "}; return site; }(), ");
    Index at = operands(text_end, "output");
    at = operands(at, "input");
    if (at < close_) context_.edits.erase_range(at, close_);  // clobbers
  }

 private:
  /// The `:` (or half a `::`) that ends the section beginning at `i`, or the closing parenthesis.
  Index section_end(Index i) const {
    for (; i < close_; ++i) {
      if (t.is(i, '(') || t.is(i, '[') || t.is(i, '{')) {
        i = t[i].partner;
      } else if (t.is(i, ':') || t.is(i, "::")) {
        return i;
      }
    }
    return close_;
  }

  /// Rewrites the operands behind the colon at `colon`; returns the next colon. `::` stands for two colons, the first
  /// of which ends an empty section.
  Index operands(Index colon, const std::string& function) {
    if (colon >= close_) return close_;
    if (t.is(colon, "::") && !half_used_) {
      half_used_ = true;
      return colon;
    }
    half_used_ = false;
    context_.edits.erase(colon);
    const Index end = section_end(colon + 1);
    for (Index i = colon + 1; i < end;) i = operand(i, end, function);
    return end;
  }

  /// `[name] "=r" (value)`
  Index operand(Index i, Index end, const std::string& function) {
    if (t.is(i, ',')) {
      context_.edits.erase(i);
      return i + 1;
    }
    std::string name;
    if (t.is(i, '[')) {
      name = ", \"" + std::string(t.spelling(i + 1)) + "\"";
      context_.edits.erase_range(i, t[i].partner + 1);
      i = t[i].partner + 1;
    }
    if (i >= end || t[i].kind != TokenKind::kString) throw RewriteError(t.place(i), "cannot read this asm statement");
    context_.edits.insert_before(i, ", ::offgrid::emu::ptx::" + function + "(");
    while (t[i].kind == TokenKind::kString) ++i;
    if (!t.is(i, '(')) throw RewriteError(t.place(i), "cannot read this asm statement");
    context_.edits.insert_before(i, ", ");
    context_.edits.insert_after(t[i].partner, name + ")");
    return t[i].partner + 1;
  }

  PassContext& context_;
  const SourceText& t;
  Index keyword_;
  Index open_ = kNone, close_ = kNone;
  bool half_used_ = false;  // one colon of a `::` has been read
};

bool is_native(const PassContext& context, Index i) {
  const Place place = context.source.place(i);
  if (place.system) return true;
  for (const std::string& folder : context.options.native_folders) {
    if (!folder.empty() && place.file.substr(1).starts_with(folder)) return true;
  }
  return false;
}

}  // namespace

void rewrite_inline_ptx(PassContext& context) {
  for (const WordAt& at : context.words) {
    if (at.word != Word::kAsm || is_native(context, at.token) || !context.in_device_code(at.token)) continue;
    PtxRewriter(context, at.token).run();
  }
}

}  // namespace offgrid::emu::rewrite
