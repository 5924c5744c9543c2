#include "check/numerics/invalid_operation.h"

#include <cmath>
#include <cstdio>

namespace offgrid::emu {
namespace {

enum class Prefix : std::uint8_t { kNone, k66, kF3, kF2 };  // as VEX counts them

/// An instruction up to its ModRM byte.
struct Opcode {
  unsigned map = 0;  // 1: 0F, 2: 0F 38
  std::uint8_t byte = 0;
  Prefix prefix = Prefix::kNone;
  bool vex = false, wide = false, long_vector = false;  // wide: REX.W, VEX.W; long_vector: VEX.L
  unsigned reg_high = 0, index_high = 0, base_high = 0, other = 0;
  const unsigned char* modrm = nullptr;
};

std::optional<Opcode> read_legacy(const unsigned char* at) {
  Opcode op;
  for (;; ++at) {
    if (*at == 0x66 && op.prefix == Prefix::kNone)
      op.prefix = Prefix::k66;
    else if (*at == 0xF3)
      op.prefix = Prefix::kF3;
    else if (*at == 0xF2)
      op.prefix = Prefix::kF2;
    else if (*at != 0x66 && *at != 0x2E && *at != 0x3E)
      break;
  }
  if ((*at & 0xF0) == 0x40) {
    op.wide = *at & 8;
    op.reg_high = *at & 4 ? 8 : 0;
    op.index_high = *at & 2 ? 8 : 0;
    op.base_high = *at & 1 ? 8 : 0;
    ++at;
  }
  if (*at++ != 0x0F) return std::nullopt;
  op.map = 1;
  op.byte = *at++;
  op.modrm = at;
  return op;
}

std::optional<Opcode> read_vex(const unsigned char* at) {
  Opcode op;
  op.vex = true;
  const bool three_bytes = *at++ == 0xC4;
  unsigned last = at[0];
  op.reg_high = at[0] & 0x80 ? 0 : 8;
  op.map = 1;
  if (three_bytes) {
    op.index_high = at[0] & 0x40 ? 0 : 8;
    op.base_high = at[0] & 0x20 ? 0 : 8;
    op.map = at[0] & 0x1F;
    last = at[1];
    op.wide = last & 0x80;
    ++at;
  }
  op.other = ~(last >> 3) & 15;
  op.long_vector = last & 4;
  op.prefix = static_cast<Prefix>(last & 3);
  op.byte = at[1];
  op.modrm = at + 2;
  return op;
}

std::optional<Opcode> read_opcode(std::uintptr_t pc) {
  const auto* at = reinterpret_cast<const unsigned char*>(pc);
  return *at == 0xC4 || *at == 0xC5 ? read_vex(at) : read_legacy(at);
}

/// What the opcode computes; `order` names the sources of a * b + c among destination 0, VEX.vvvv 1, ModRM.rm 2.
struct Meaning {
  NanCreation what;
  bool packed = false, alternating = false;
  unsigned order[3] = {0, 0, 0};
};

std::optional<Meaning> meaning_of(const Opcode& op) {
  Meaning m;
  if (op.map == 1) {
    m.packed = op.prefix == Prefix::kNone || op.prefix == Prefix::k66;
    m.what.is_double = op.prefix == Prefix::k66 || op.prefix == Prefix::kF2;
    m.order[0] = op.vex ? 1 : 0;
    m.order[1] = 2;
    switch (op.byte) {
      case 0x51:
        m.what.operation = FloatOperation::kSquareRoot;
        m.order[0] = 2;
        return m;
      case 0x58:
        m.what.operation = FloatOperation::kAdd;
        return m;
      case 0x59:
        m.what.operation = FloatOperation::kMultiply;
        return m;
      case 0x5C:
        m.what.operation = FloatOperation::kSubtract;
        return m;
      case 0x5E:
        m.what.operation = FloatOperation::kDivide;
        return m;
      default:
        return std::nullopt;
    }
  }
  // FMA: rows 9 (a * c + b), A (b * a + c), B (b * c + a); columns 6 to F.
  const unsigned row = op.byte >> 4, column = op.byte & 15;
  if (!op.vex || op.map != 2 || op.prefix != Prefix::k66 || row < 9 || row > 11 || column < 6) return std::nullopt;
  static constexpr unsigned kOrders[3][3] = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}};
  std::memcpy(m.order, kOrders[row - 9], sizeof m.order);
  m.what.operation = FloatOperation::kFused;
  m.what.is_double = op.wide;
  m.packed = column < 8 || column % 2 == 0;
  m.alternating = column < 8;
  m.what.minus_product = column >= 12;
  m.what.minus_addend = column == 7 || column == 10 || column == 11 || column >= 14;
  return m;
}

std::uintptr_t address_of(const Opcode& op, const MachineRegisters& registers) {
  const unsigned mod = *op.modrm >> 6, rm = *op.modrm & 7;
  const unsigned char* at = op.modrm + 1;
  std::uintptr_t address = 0;
  bool no_base = mod == 0 && rm == 5;
  const bool pc_relative = no_base;
  if (rm == 4) {
    const unsigned index = (*at >> 3 & 7) + op.index_high, base = *at & 7;
    no_base = mod == 0 && base == 5;
    if (index != 4) address += registers.general[index] << (*at >> 6);
    if (!no_base) address += registers.general[base + op.base_high];
    ++at;
  } else if (!no_base) {
    address = registers.general[rm + op.base_high];
  }
  if (mod == 1) {
    address += static_cast<std::uintptr_t>(static_cast<std::intptr_t>(static_cast<signed char>(*at)));
  } else if (mod == 2 || no_base) {
    std::int32_t displacement;
    std::memcpy(&displacement, at, 4);
    address += static_cast<std::uintptr_t>(static_cast<std::intptr_t>(displacement));
    if (pc_relative) address += reinterpret_cast<std::uintptr_t>(at + 4);
  }
  return address;
}

double element(const unsigned char* low, const unsigned char* high, std::size_t index, bool is_double) {
  const std::size_t size = is_double ? 8 : 4, at = index * size;
  const unsigned char* from = at < 16 ? low + at : high + (at - 16);
  if (is_double) {
    double value;
    std::memcpy(&value, from, 8);
    return value;
  }
  float value;
  std::memcpy(&value, from, 4);
  return static_cast<double>(value);
}

/// True if the operation makes NaN of these numbers. The exception was raised, so only the kinds of operands matter.
bool creates_nan(const NanCreation& n, const double (&x)[3], bool minus_addend) {
  const double a = x[0], b = x[1], c = x[2];
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return false;
  switch (n.operation) {
    case FloatOperation::kAdd:
      return std::isnan(a + b);
    case FloatOperation::kSubtract:
      return std::isnan(a - b);
    case FloatOperation::kMultiply:
      return std::isnan(a * b);
    case FloatOperation::kDivide:
      return std::isnan(a / b);
    case FloatOperation::kSquareRoot:
      return a < 0;
    case FloatOperation::kFused: {
      if ((std::isinf(a) && b == 0) || (a == 0 && std::isinf(b))) return true;
      const bool infinite = std::isinf(a) || std::isinf(b);
      const bool product_negative = (std::signbit(a) != std::signbit(b)) != n.minus_product;
      return infinite && std::isinf(c) && product_negative != (std::signbit(c) != minus_addend);
    }
  }
  return false;
}

std::string number(double value, bool is_double) {
  char text[32];
  std::snprintf(text, sizeof text, is_double ? "%.17g" : "%.9g", value);
  char shorter[32];
  std::snprintf(shorter, sizeof shorter, "%g", value);
  double back = 0;
  std::sscanf(shorter, "%lf", &back);
  const bool same = is_double ? back == value : static_cast<float>(back) == static_cast<float>(value);
  return same ? shorter : text;
}

}  // namespace

std::string NanCreation::text() const {
  const std::string a = number(operands[0], is_double), b = number(operands[1], is_double);
  switch (operation) {
    case FloatOperation::kAdd:
      return a + " + " + b;
    case FloatOperation::kSubtract:
      return a + " - " + b;
    case FloatOperation::kMultiply:
      return a + " * " + b;
    case FloatOperation::kDivide:
      return a + " / " + b;
    case FloatOperation::kSquareRoot:
      return "sqrt(" + a + ")";
    case FloatOperation::kFused:
      break;
  }
  const std::string product = a + " * " + b;
  return (minus_product ? "-(" + product + ")" : product) + (minus_addend ? " - " : " + ") +
         number(operands[2], is_double);
}

std::optional<NanCreation> decode_nan_creation(const MachineRegisters& registers) {
  const std::optional<Opcode> op = read_opcode(registers.pc);
  if (!op) return std::nullopt;
  std::optional<Meaning> meaning = meaning_of(*op);
  if (!meaning) return std::nullopt;
  NanCreation& what = meaning->what;
  what.destination = (*op->modrm >> 3 & 7) + op->reg_high;

  const unsigned char *low[3], *high[3];
  const auto use_register = [&](unsigned source, unsigned number) {
    low[source] = registers.low[number];
    high[source] = registers.high[number];
  };
  use_register(0, what.destination);
  use_register(1, op->other);
  if (*op->modrm >> 6 == 3) {
    use_register(2, (*op->modrm & 7) + op->base_high);
  } else {
    low[2] = reinterpret_cast<const unsigned char*>(address_of(*op, registers));
    high[2] = low[2] + 16;
  }
  const std::size_t in_vector = what.is_double ? 2 : 4;
  const bool upper = meaning->packed && op->long_vector && high[0] && high[1] && high[2];
  const std::size_t count = !meaning->packed ? 1 : upper ? 2 * in_vector : in_vector;
  const std::size_t operands = what.operation == FloatOperation::kFused        ? 3
                               : what.operation == FloatOperation::kSquareRoot ? 1
                                                                               : 2;
  for (std::size_t i = 0; i < count; ++i) {
    double x[3] = {0, 0, 0};
    for (std::size_t k = 0; k < operands; ++k) {
      const unsigned source = meaning->order[k];
      x[k] = element(low[source], high[source], i, what.is_double);
    }
    // fmaddsub subtracts in even elements, fmsubadd in odd ones.
    const bool minus_addend = meaning->alternating ? (i % 2 == 0) != what.minus_addend : what.minus_addend;
    if (!creates_nan(what, x, minus_addend)) continue;
    if (what.elements == 0) std::memcpy(what.operands, x, sizeof x);
    what.elements = static_cast<std::uint8_t>(what.elements | 1u << i);
  }
  if (meaning->alternating && what.elements)
    what.minus_addend = (__builtin_ctz(what.elements) % 2 == 0) != what.minus_addend;
  if (what.elements == 0) return std::nullopt;
  return what;
}

}  // namespace offgrid::emu
