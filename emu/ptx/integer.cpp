// Integer arithmetic: add, sub, mul, mad, div, rem, abs, neg, sad, dp4a, dp2a, with the carry chain.
#include "ptx/machine.h"
#include "ptx/mnemonics.h"
#include "ptx/wide_integer.h"

namespace offgrid::emu::ptx {

// In floating.cpp and compare.cpp: the same names on other types.
Handler choose_float_arithmetic(std::string_view name, Instruction& i, Modifiers& m);

namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
inline constexpr int kBits = 8 * sizeof(T);

template <class T>
using Wide = std::conditional_t<
    sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, Int128, UInt128>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>>;

template <class T>
Wide<T> product(T a, T b) {
  return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
}

/// a + b + carry, with the carry flag out if asked for.
template <class T>
T add(const Flags& f, T a, T b) {
  const UInt128 sum =
      static_cast<UInt128>(static_cast<Unsigned<T>>(a)) + static_cast<Unsigned<T>>(b) + (f.carry_in && carry_flag);
  if (f.carry_out) carry_flag = (sum >> kBits<T>) != 0;
  return static_cast<T>(sum);
}

/// a - b - borrow; the carry flag is the borrow.
template <class T>
T subtract(const Flags& f, T a, T b) {
  const UInt128 difference =
      static_cast<UInt128>(static_cast<Unsigned<T>>(a)) - static_cast<Unsigned<T>>(b) - (f.carry_in && carry_flag);
  if (f.carry_out) carry_flag = (difference >> kBits<T>) != 0;
  return static_cast<T>(difference);
}

template <class T>
T saturated(std::int64_t value) {
  constexpr std::int64_t kMax = (std::int64_t{1} << (kBits<T> - 1)) - 1;
  return static_cast<T>(value > kMax ? kMax : value < -kMax - 1 ? -kMax - 1 : value);
}

struct Add {};
template <class, class T>
void add_handler(Machine& m, const Instruction& i) {
  const T a = read<T>(m, i.operands[1]), b = read<T>(m, i.operands[2]);
  if constexpr (sizeof(T) == 4 && std::is_signed_v<T>) {
    if (i.flags.sat) return write(m, i.operands[0], saturated<T>(std::int64_t{a} + b));
  }
  write(m, i.operands[0], add(i.flags, a, b));
}
template <class, class T>
void sub_handler(Machine& m, const Instruction& i) {
  const T a = read<T>(m, i.operands[1]), b = read<T>(m, i.operands[2]);
  if constexpr (sizeof(T) == 4 && std::is_signed_v<T>) {
    if (i.flags.sat) return write(m, i.operands[0], saturated<T>(std::int64_t{a} - b));
  }
  write(m, i.operands[0], subtract(i.flags, a, b));
}

/// The half of the product that .lo or .hi names.
template <class T>
T half_product(const Flags& f, T a, T b) {
  const Wide<T> p = product(a, b);
  return static_cast<T>(f.variant == 'h' ? p >> kBits<T> : p);
}

template <class, class T>
void mul_handler(Machine& m, const Instruction& i) {
  const T a = read<T>(m, i.operands[1]), b = read<T>(m, i.operands[2]);
  if constexpr (sizeof(T) < 8) {
    if (i.flags.variant == 'w') return write(m, i.operands[0], product(a, b));
  }
  write(m, i.operands[0], half_product(i.flags, a, b));
}
template <class, class T>
void mad_handler(Machine& m, const Instruction& i) {
  const T a = read<T>(m, i.operands[1]), b = read<T>(m, i.operands[2]);
  if constexpr (sizeof(T) < 8) {
    if (i.flags.variant == 'w') {
      using W = Unsigned<Wide<T>>;
      const W c = read<W>(m, i.operands[3]);
      return write(m, i.operands[0], static_cast<W>(static_cast<W>(product(a, b)) + c));
    }
  }
  write(m, i.operands[0], add(i.flags, half_product(i.flags, a, b), read<T>(m, i.operands[3])));
}

/// The low 24 bits, sign-extended if T is signed.
template <class T>
T low24(T x) {
  return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(x) << 8) >> 8);
}
template <class, class T>
void mul24_handler(Machine& m, const Instruction& i) {
  const auto p = static_cast<std::uint64_t>(std::int64_t{low24(read<T>(m, i.operands[1]))} *
                                            std::int64_t{low24(read<T>(m, i.operands[2]))});
  const T c = i.operands.size() > 3 ? read<T>(m, i.operands[3]) : T{0};
  write(
      m, i.operands[0],
      static_cast<T>(static_cast<std::uint32_t>(i.flags.variant == 'h' ? p >> 16 : p) + static_cast<std::uint32_t>(c)));
}

/// Division by zero has no defined result on the device; here it gives all ones, and the dividend as remainder.
struct Div {
  template <class T>
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return static_cast<T>(-static_cast<Unsigned<T>>(a));
    }
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  static T apply(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
struct Abs {
  template <class T>
  static T apply(T a) {
    return a < 0 ? static_cast<T>(-static_cast<Unsigned<T>>(a)) : a;
  }
};
struct Neg {
  template <class T>
  static T apply(T a) {
    return static_cast<T>(-static_cast<Unsigned<T>>(a));
  }
};
struct Sad {
  template <class T>
  static T apply(T a, T b, T c) {
    const Unsigned<T> x = static_cast<Unsigned<T>>(a), y = static_cast<Unsigned<T>>(b);
    return static_cast<T>(static_cast<Unsigned<T>>(c) + static_cast<Unsigned<T>>(a < b ? y - x : x - y));
  }
};

/// A handler for integers, or for the floating-point form of the same name.
template <class Choose>
Handler arithmetic(std::string_view name, Instruction& i, Modifiers& m, Choose by_integer) {
  i.flags.carry_out = m.take("cc");
  i.type = m.take_type();
  if (i.type >= Type::kF16) return choose_float_arithmetic(name, i, m);
  i.flags.sat = m.take("sat");
  return by_integer(i.type);
}

Handler choose_add(Instruction& i, Modifiers& m) {
  return arithmetic("add", i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(t, add_handler, Add); });
}
Handler choose_addc(Instruction& i, Modifiers& m) {
  i.flags.carry_in = true;
  return choose_add(i, m);
}
Handler choose_sub(Instruction& i, Modifiers& m) {
  return arithmetic("sub", i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(t, sub_handler, Add); });
}
Handler choose_subc(Instruction& i, Modifiers& m) {
  i.flags.carry_in = true;
  return choose_sub(i, m);
}
Handler choose_mul(Instruction& i, Modifiers& m) {
  i.flags.variant = m.take_one_of("lhw", {"lo", "hi", "wide"});
  return arithmetic("mul", i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(t, mul_handler, Add); });
}
Handler choose_mad(Instruction& i, Modifiers& m) {
  i.flags.variant = m.take_one_of("lhw", {"lo", "hi", "wide"});
  return arithmetic("fma", i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(t, mad_handler, Add); });
}
Handler choose_madc(Instruction& i, Modifiers& m) {
  i.flags.carry_in = true;
  return choose_mad(i, m);
}
Handler choose_mul24(Instruction& i, Modifiers& m) {
  i.flags.variant = m.take_one_of("lh", {"lo", "hi"});
  i.type = m.take_type();
  return i.type == Type::kU32   ? Handler{&mul24_handler<Add, std::uint32_t>}
         : i.type == Type::kS32 ? Handler{&mul24_handler<Add, std::int32_t>}
                                : nullptr;
}
Handler choose_div(Instruction& i, Modifiers& m) {
  return arithmetic("div", i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(t, binary, Div); });
}
Handler choose_rem(Instruction& i, Modifiers& m) {
  i.type = m.take_type();
  return OFFGRID_PTX_BY_INTEGER(i.type, binary, Rem);
}
Handler choose_abs(Instruction& i, Modifiers& m) {
  return arithmetic("abs", i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(t, unary, Abs); });
}
Handler choose_neg(Instruction& i, Modifiers& m) {
  return arithmetic("neg", i, m, [](Type t) { return OFFGRID_PTX_BY_INTEGER(t, unary, Neg); });
}
Handler choose_sad(Instruction& i, Modifiers& m) {
  i.type = m.take_type();
  return OFFGRID_PTX_BY_INTEGER(i.type, ternary, Sad);
}

/// Sum of products of packed bytes or halfwords; each word may be signed on its own.
void dot_product(Machine& m, const Instruction& i) {
  const std::uint32_t a = read<std::uint32_t>(m, i.operands[1]), b = read<std::uint32_t>(m, i.operands[2]);
  const bool by_halfwords = i.flags.variant != 0;
  const int elements = by_halfwords ? 2 : 4;
  auto byte = [](std::uint32_t word, int k, bool is_signed) {
    const auto x = static_cast<std::uint8_t>(word >> (8 * k));
    return is_signed ? static_cast<int>(static_cast<std::int8_t>(x)) : static_cast<int>(x);
  };
  auto halfword = [](std::uint32_t word, int k, bool is_signed) {
    const auto x = static_cast<std::uint16_t>(word >> (16 * k));
    return is_signed ? static_cast<int>(static_cast<std::int16_t>(x)) : static_cast<int>(x);
  };
  const bool a_signed = i.type == Type::kS32, b_signed = i.source_type == Type::kS32;
  std::uint32_t sum = read<std::uint32_t>(m, i.operands[3]);
  for (int k = 0; k < elements; ++k) {
    const int x = by_halfwords ? halfword(a, k, a_signed) : byte(a, k, a_signed);
    const int y = byte(b, by_halfwords && i.flags.variant == 'h' ? k + 2 : k, b_signed);
    sum += static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(y);
  }
  write(m, i.operands[0], sum);
}
Handler choose_dp4a(Instruction& i, Modifiers& m) {
  i.type = m.take_type();
  i.source_type = m.take_type();
  return &dot_product;
}
Handler choose_dp2a(Instruction& i, Modifiers& m) {
  i.flags.variant = m.take_one_of("lh", {"lo", "hi"});
  return i.flags.variant ? choose_dp4a(i, m) : nullptr;
}

}  // namespace

std::vector<MnemonicRow> integer_mnemonics() {
  return {{"add", choose_add},  {"addc", choose_addc},   {"sub", choose_sub},     {"subc", choose_subc},
          {"mul", choose_mul},  {"mad", choose_mad},     {"madc", choose_madc},   {"fma", choose_mad},
          {"div", choose_div},  {"rem", choose_rem},     {"abs", choose_abs},     {"neg", choose_neg},
          {"sad", choose_sad},  {"mul24", choose_mul24}, {"mad24", choose_mul24}, {"dp4a", choose_dp4a},
          {"dp2a", choose_dp2a}};
}

}  // namespace offgrid::emu::ptx
