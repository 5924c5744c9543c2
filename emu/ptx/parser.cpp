#include "ptx/parser.h"

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>

#include "ptx/machine.h"
#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {
namespace {

struct SyntaxError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Kind { kEnd, kWord, kNumber, kOperand, kSymbol };

struct Token {
  Kind kind = Kind::kEnd;
  std::string text;
  unsigned operand = 0;
  std::size_t begin = 0, end = 0;
};

class Scanner {
 public:
  Scanner(std::string_view text, const AsmOperand* operands, unsigned count)
      : text_(text), operands_(operands), count_(count) {
    advance();
  }

  const Token& peek() const { return token_; }
  Token take() {
    Token t = token_;
    advance();
    return t;
  }
  bool take_if(std::string_view symbol) {
    if (token_.kind != Kind::kSymbol || token_.text != symbol) return false;
    advance();
    return true;
  }
  void expect(std::string_view symbol) {
    if (!take_if(symbol)) throw SyntaxError("expected " + std::string(symbol));
  }
  std::string_view text(std::size_t begin, std::size_t end) const { return text_.substr(begin, end - begin); }

 private:
  char at(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(at())) != 0) {
        ++at_;
      } else if (at() == '/' && at(1) == '/') {
        while (at_ < text_.size() && at() != '\n') ++at_;
      } else if (at() == '/' && at(1) == '*') {
        const std::size_t close = text_.find("*/", at_ + 2);
        at_ = close == text_.npos ? text_.size() : close + 2;
      } else {
        return;
      }
    }
  }

  void advance() {
    skip_blanks();
    token_ = {};
    token_.begin = at_;
    if (at_ >= text_.size()) {
      token_.end = at_;
      return;
    }
    const char c = at();
    if (c == '%') {
      percent();
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      number();
    } else if (is_word(c) || c == '.') {
      token_.kind = Kind::kWord;
      word();
    } else {
      token_.kind = Kind::kSymbol;
      token_.text = c;
      ++at_;
    }
    token_.end = at_;
  }

  /// Letters, digits, dots and `::`.
  void word() {
    while (is_word(at()) || at() == '.' || (at() == ':' && at(1) == ':')) {
      if (at() == ':') token_.text += text_[at_++];
      token_.text += text_[at_++];
    }
  }

  void number() {
    token_.kind = Kind::kNumber;
    const bool hexadecimal = at() == '0' && std::isalpha(static_cast<unsigned char>(at(1))) != 0 && at(1) != 'e';
    while (is_word(at()) || at() == '.' ||
           (!hexadecimal && (at() == '+' || at() == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E'))) {
      token_.text += text_[at_++];
    }
  }

  /// `%0`, `%[name]`, `%%name`, `%name`, `%=`.
  void percent() {
    ++at_;
    if (std::isdigit(static_cast<unsigned char>(at())) != 0) {
      token_.kind = Kind::kOperand;
      while (std::isdigit(static_cast<unsigned char>(at())) != 0) {
        token_.operand = token_.operand * 10 + static_cast<unsigned>(text_[at_++] - '0');
      }
    } else if (at() == '[') {
      const std::size_t close = text_.find(']', at_);
      if (close == text_.npos) throw SyntaxError("unterminated operand name");
      token_.kind = Kind::kOperand;
      token_.operand = operand_named(text_.substr(at_ + 1, close - at_ - 1));
      at_ = close + 1;
    } else {
      if (at() == '%') ++at_;
      token_.kind = Kind::kWord;
      token_.text = "%";
      word();
    }
    if (token_.kind == Kind::kOperand && token_.operand >= count_) throw SyntaxError("no such operand");
  }

  unsigned operand_named(std::string_view name) const {
    for (unsigned i = 0; i < count_; ++i) {
      if (name == operands_[i].name) return i;
    }
    throw SyntaxError("no operand of that name");
  }

  std::string_view text_;
  const AsmOperand* operands_;
  unsigned count_;
  std::size_t at_ = 0;
  Token token_;
};

class Parser {
 public:
  Parser(std::string_view text, const AsmOperand* operands, unsigned count)
      : scan_(text, operands, count), program_(std::make_unique<Program>()) {
    program_->slots = program_->operands = count;
    scopes_.emplace_back();
  }

  std::unique_ptr<Program> run() {
    while (scan_.peek().kind != Kind::kEnd) statement();
    for (Instruction& i : program_->instructions) {
      if (i.operands.empty() || i.operands.back().kind != OperandKind::kLabel) continue;
      const auto found = labels_.find(i.operands.back().label);
      if (found == labels_.end()) {
        i.handler = nullptr;
      } else {
        i.target = found->second;
      }
    }
    return std::move(program_);
  }

 private:
  void statement() {
    if (scan_.take_if(";")) return;
    if (scan_.take_if("{")) return scopes_.emplace_back(), void();
    if (scan_.take_if("}")) {
      if (scopes_.size() < 2) throw SyntaxError("unbalanced }");
      return scopes_.pop_back();
    }
    Instruction instruction;
    const std::size_t begin = scan_.peek().begin;
    if (scan_.take_if("@")) {
      instruction.guard_negated = scan_.take_if("!");
      const Operand guard = operand();
      if (guard.kind != OperandKind::kSlot) throw SyntaxError("a guard must be a predicate");
      instruction.guard = static_cast<int>(guard.slot);
    }
    const Token name = scan_.take();
    if (name.kind != Kind::kWord) throw SyntaxError("expected an instruction");
    if (name.text == ".reg") return declare();
    if (scan_.take_if(":")) {
      labels_[name.text] = static_cast<unsigned>(program_->instructions.size());
      return;
    }
    while (scan_.peek().kind != Kind::kEnd && !scan_.take_if(";")) {
      instruction.operands.push_back(operand());
      end_ = scan_.peek().begin;
      if (!scan_.take_if(",") && scan_.peek().kind != Kind::kEnd && scan_.peek().text != ";")
        throw SyntaxError("expected ,");
    }
    instruction.text = std::string(scan_.text(begin, std::max(end_, name.end)));
    while (!instruction.text.empty() && std::isspace(static_cast<unsigned char>(instruction.text.back())) != 0) {
      instruction.text.pop_back();
    }
    choose_handler(instruction, name.text);
    program_->instructions.push_back(std::move(instruction));
  }

  /// `.reg .u32 a, b, %r<4>;`
  void declare() {
    scan_.take();  // the type: a slot holds any
    do {
      const std::string name = scan_.take().text;
      if (scan_.take_if("<")) {
        const int count = std::atoi(scan_.take().text.c_str());
        for (int i = 0; i < count; ++i) scopes_.back()[name + std::to_string(i)] = program_->slots++;
        scan_.expect(">");
      } else {
        scopes_.back()[name] = program_->slots++;
      }
    } while (scan_.take_if(","));
    scan_.expect(";");
  }

  Operand operand() {
    Operand o = simple_operand();
    if (scan_.take_if("|")) o.parts.push_back(simple_operand());
    return o;
  }

  Operand simple_operand() {
    Operand o;
    if (scan_.take_if("!")) {
      o = simple_operand();
      o.negated = !o.negated;
      return o;
    }
    if (scan_.take_if("-")) return negative(simple_operand());
    if (scan_.take_if("{")) {
      o.kind = OperandKind::kVector;
      do o.parts.push_back(operand());
      while (scan_.take_if(","));
      scan_.expect("}");
      return o;
    }
    if (scan_.take_if("[")) return address();
    const Token t = scan_.take();
    switch (t.kind) {
      case Kind::kOperand:
        o.kind = OperandKind::kSlot;
        o.slot = t.operand;
        return o;
      case Kind::kNumber:
        return number(t.text);
      case Kind::kWord:
        return named(t.text);
      default:
        throw SyntaxError("expected an operand");
    }
  }

  static Operand negative(Operand o) {
    if (o.kind == OperandKind::kImmediate) {
      o.bits = -o.bits;
    } else if (o.kind == OperandKind::kFloatImmediate) {
      o.bits ^= std::uint64_t{1} << 63;
    } else {
      throw SyntaxError("only a number can have a minus");
    }
    return o;
  }

  Operand address() {
    Operand o;
    o.kind = OperandKind::kAddress;
    o.parts.push_back(simple_operand());
    while (scan_.peek().text == "+" || scan_.peek().text == "-") {
      const bool minus = scan_.take().text == "-";
      Operand offset = simple_operand();
      if (offset.kind == OperandKind::kSlot) {
        // "[%0 + %1]" with a constant operand
        o.parts.push_back(offset);
      } else {
        o.offset += static_cast<std::int64_t>(minus ? -offset.bits : offset.bits);
      }
    }
    scan_.expect("]");
    return o;
  }

  static Operand number(const std::string& text) {
    Operand o;
    o.kind = OperandKind::kImmediate;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D')) {
      o.bits = std::strtoull(text.c_str() + 2, nullptr, 16);
    } else if (text.find('.') != text.npos && text[1] != 'x') {
      o.kind = OperandKind::kFloatImmediate;
      const double value = std::strtod(text.c_str(), nullptr);
      std::memcpy(&o.bits, &value, sizeof value);
    } else if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
      o.bits = std::strtoull(text.c_str() + 2, nullptr, 2);
    } else {
      o.bits = std::strtoull(text.c_str(), nullptr, 0);
    }
    return o;
  }

  Operand named(const std::string& name) {
    Operand o;
    if (name == "_") return o;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->find(name);
      if (found == scope->end()) continue;
      o.kind = OperandKind::kSlot;
      o.slot = found->second;
      return o;
    }
    const int special = find_special_register(name);
    if (special >= 0) {
      o.kind = OperandKind::kSpecial;
      o.slot = static_cast<unsigned>(special);
    } else {
      o.kind = OperandKind::kLabel;
      o.label = name;
    }
    return o;
  }

  Scanner scan_;
  std::unique_ptr<Program> program_;
  std::vector<std::map<std::string, unsigned>> scopes_;
  std::map<std::string, unsigned> labels_;
  std::size_t end_ = 0;  // of the last operand
};

}  // namespace

unsigned type_bytes(Type type) {
  switch (type) {
    case Type::kB8:
    case Type::kU8:
    case Type::kS8:
      return 1;
    case Type::kB16:
    case Type::kU16:
    case Type::kS16:
    case Type::kF16:
    case Type::kBf16:
      return 2;
    case Type::kB32:
    case Type::kU32:
    case Type::kS32:
    case Type::kF16x2:
    case Type::kBf16x2:
    case Type::kF32:
      return 4;
    case Type::kB64:
    case Type::kU64:
    case Type::kS64:
    case Type::kF64:
      return 8;
    default:
      return 0;
  }
}

std::unique_ptr<Program> parse(std::string_view text, const AsmOperand* operands, unsigned count) {
  try {
    return Parser(text, operands, count).run();
  } catch (const SyntaxError& error) {
    auto program = std::make_unique<Program>();
    program->slots = program->operands = count;
    program->instructions.emplace_back();
    program->instructions[0].text = std::string(text) + " (" + error.what() + ")";
    return program;
  }
}

}  // namespace offgrid::emu::ptx
