// Comparisons and choices: min, max, setp, set, selp, slct.
#include <offgrid/emu/numerics/comparison.h>
#include <offgrid/emu/numerics/convert.h>

#include <cmath>

#include "ptx/machine.h"
#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {
namespace {

/// Comparisons by the initial in Flags::variant; the unordered forms, true for NaN, in capitals.
template <class T>
bool compare(char how, T a, T b) {
  const bool unordered = a != a || b != b;
  switch (how) {
    case 'e':
      return a == b;
    case 'n':
      return !unordered && a != b;
    case 'l':
      return a < b;
    case 'm':
      return a <= b;
    case 'g':
      return a > b;
    case 'h':
      return a >= b;
    case 'E':
      return unordered || a == b;
    case 'N':
      return unordered || a != b;
    case 'L':
      return unordered || a < b;
    case 'M':
      return unordered || a <= b;
    case 'G':
      return unordered || a > b;
    case 'H':
      return unordered || a >= b;
    case 'o':
      return !unordered;
    default:
      return unordered;
  }
}

bool combine(char how, bool a, bool b) {
  return how == 'a' ? (a && b) : how == 'o' ? (a || b) : how == 'x' ? a != b : a;
}

template <class T>
T value_of(const Machine& m, const Instruction& i, const Operand& o) {
  const T value = read<T>(m, o);
  if constexpr (std::is_same_v<T, float>) return i.flags.ftz ? flushed(value) : value;
  return value;
}

/// f16 and bf16 compare as the floats they are.
struct Half {};
struct Brain {};
template <class T>
auto operand_value(const Machine& m, const Instruction& i, const Operand& o) {
  if constexpr (std::is_same_v<T, Half>) {
    return numerics::to_float<formats::Binary16>(read<std::uint16_t>(m, o));
  } else if constexpr (std::is_same_v<T, Brain>) {
    return numerics::to_float<formats::Bfloat16>(read<std::uint16_t>(m, o));
  } else {
    return value_of<T>(m, i, o);
  }
}

template <class T>
bool outcome(const Machine& m, const Instruction& i) {
  return compare(i.flags.variant, operand_value<T>(m, i, i.operands[1]), operand_value<T>(m, i, i.operands[2]));
}

template <class, class T>
void setp(Machine& m, const Instruction& i) {
  const bool first = outcome<T>(m, i);
  const bool other = i.operands.size() > 3 ? read<std::uint64_t>(m, i.operands[3]) != 0 : false;
  Operand to = i.operands[0];
  write(m, to, std::uint64_t{combine(i.flags.combine, first, other)});
  if (!to.parts.empty()) write(m, to.parts[0], std::uint64_t{combine(i.flags.combine, !first, other)});
}

/// All ones, or 1.0 for a floating-point destination, if the comparison holds.
template <class, class T>
void set(Machine& m, const Instruction& i) {
  const bool other = i.operands.size() > 3 ? read<std::uint64_t>(m, i.operands[3]) != 0 : false;
  const bool holds = combine(i.flags.combine, outcome<T>(m, i), other);
  if (i.type == Type::kF32) return write(m, i.operands[0], holds ? 1.0f : 0.0f);
  write(m, i.operands[0], holds ? ~std::uint32_t{0} : std::uint32_t{0});
}

struct Compare {};
#define OFFGRID_PTX_BY_ANY(type, shape)                              \
  ((type) == Type::kF32    ? Handler{&shape<Compare, float>}         \
   : (type) == Type::kF64  ? Handler{&shape<Compare, double>}        \
   : (type) == Type::kF16  ? Handler{&shape<Compare, Half>}          \
   : (type) == Type::kBf16 ? Handler{&shape<Compare, Brain>}         \
   : (type) == Type::kB16  ? Handler{&shape<Compare, std::uint16_t>} \
   : (type) == Type::kB32  ? Handler{&shape<Compare, std::uint32_t>} \
   : (type) == Type::kB64  ? Handler{&shape<Compare, std::uint64_t>} \
                           : OFFGRID_PTX_BY_INTEGER(type, shape, Compare))

bool read_comparison(Instruction& i, Modifiers& m) {
  // lo, ls, hi, hs are the unsigned spellings of lt, le, gt, ge.
  i.flags.variant = m.take_one_of("enlmghlmghENLMGHou", {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
                                                         "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  i.flags.combine = m.take_one_of("aox", {"and", "or", "xor"});
  i.flags.ftz = m.take("ftz");
  return i.flags.variant != 0;
}
Handler choose_setp(Instruction& i, Modifiers& m) {
  if (!read_comparison(i, m)) return nullptr;
  i.type = m.take_type();
  return OFFGRID_PTX_BY_ANY(i.type, setp);
}
Handler choose_set(Instruction& i, Modifiers& m) {
  if (!read_comparison(i, m)) return nullptr;
  i.type = m.take_type();
  i.source_type = m.take_type();
  if (i.type != Type::kU32 && i.type != Type::kS32 && i.type != Type::kF32) return nullptr;
  return OFFGRID_PTX_BY_ANY(i.source_type, set);
}

struct Min {
  template <class T>
  static T apply(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  static T apply(T a, T b) {
    return a < b ? b : a;
  }
};

/// A NaN loses to a number, or wins with .NaN; -0 is less than +0.
template <class T>
T extreme(const Instruction& i, T a, T b, bool maximum) {
  if (a != a || b != b) {
    if (i.flags.nan || (a != a && b != b)) return static_cast<T>(NAN);
    return a != a ? b : a;
  }
  if (a == b) return std::signbit(a) == maximum ? b : a;
  return (a < b) == maximum ? b : a;
}
template <class T, bool kMaximum>
void float_extreme(Machine& m, const Instruction& i) {
  T out = value_of<T>(m, i, i.operands[1]);
  for (std::size_t k = 2; k < i.operands.size(); ++k) out = extreme(i, out, value_of<T>(m, i, i.operands[k]), kMaximum);
  write(m, i.operands[0], out);
}
template <class F, bool kMaximum>
void small_extreme(Machine& m, const Instruction& i) {
  const std::uint32_t a = read<std::uint32_t>(m, i.operands[1]), b = read<std::uint32_t>(m, i.operands[2]);
  std::uint32_t out = 0;
  for (unsigned shift = 0; shift < 8 * type_bytes(i.type); shift += 16) {
    const auto x = static_cast<std::uint16_t>(a >> shift), y = static_cast<std::uint16_t>(b >> shift);
    const bool nan = i.flags.nan;
    const std::uint16_t e = kMaximum ? (nan ? numerics::maximum_or_nan<F>(x, y) : numerics::maximum<F>(x, y))
                                     : (nan ? numerics::minimum_or_nan<F>(x, y) : numerics::minimum<F>(x, y));
    out |= static_cast<std::uint32_t>(e) << shift;
  }
  write(m, i.operands[0], out);
}
template <bool kMaximum>
Handler choose_extreme(Instruction& i, Modifiers& m) {
  i.flags.ftz = m.take("ftz");
  i.flags.nan = m.take("NaN");
  i.type = m.take_type();
  switch (i.type) {
    case Type::kF32:
      return &float_extreme<float, kMaximum>;
    case Type::kF64:
      return &float_extreme<double, kMaximum>;
    case Type::kF16:
    case Type::kF16x2:
      return &small_extreme<formats::Binary16, kMaximum>;
    case Type::kBf16:
    case Type::kBf16x2:
      return &small_extreme<formats::Bfloat16, kMaximum>;
    default:
      break;
  }
  if constexpr (kMaximum) return OFFGRID_PTX_BY_INTEGER(i.type, binary, Max);
  return OFFGRID_PTX_BY_INTEGER(i.type, binary, Min);
}

void selp(Machine& m, const Instruction& i) {
  const Operand& chosen = i.operands[read<std::uint64_t>(m, i.operands[3]) != 0 ? 1 : 2];
  if (i.type == Type::kF32) return write(m, i.operands[0], read<float>(m, chosen));
  if (i.type == Type::kF64) return write(m, i.operands[0], read<double>(m, chosen));
  if (type_bytes(i.type) == 8) return write(m, i.operands[0], read<std::uint64_t>(m, chosen));
  write(m, i.operands[0], read<std::uint32_t>(m, chosen));
}
Handler choose_selp(Instruction& i, Modifiers& m) {
  i.type = m.take_type();
  return i.type == Type::kNone || i.operands.size() != 4 ? nullptr : &selp;
}
void slct(Machine& m, const Instruction& i) {
  const bool first =
      i.source_type == Type::kF32 ? read<float>(m, i.operands[3]) >= 0.0f : read<std::int32_t>(m, i.operands[3]) >= 0;
  write(m, i.operands[0], read<std::uint64_t>(m, i.operands[first ? 1 : 2]));
}
Handler choose_slct(Instruction& i, Modifiers& m) {
  m.take("ftz");
  i.type = m.take_type();
  i.source_type = m.take_type();
  return i.operands.size() == 4 ? &slct : nullptr;
}

}  // namespace

std::vector<MnemonicRow> compare_mnemonics() {
  return {{"setp", choose_setp},         {"set", choose_set},   {"min", choose_extreme<false>},
          {"max", choose_extreme<true>}, {"selp", choose_selp}, {"slct", choose_slct}};
}

}  // namespace offgrid::emu::ptx
