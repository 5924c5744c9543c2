// cvt: between integers, floating-point formats and each other.
#include <offgrid/emu/numerics/convert.h>

#include <cmath>

#include "ptx/machine.h"
#include "ptx/mnemonics.h"
#include "ptx/wide_integer.h"

namespace offgrid::emu::ptx {
namespace {

using formats::Bfloat16;
using formats::Binary16;
using formats::Binary32;
using formats::Binary64;
using formats::E4m3;
using formats::E5m2;
using numerics::Overflow;
using numerics::Rounding;

bool is_float(Type t) { return t >= Type::kF16; }
bool is_signed(Type t) { return t == Type::kS8 || t == Type::kS16 || t == Type::kS32 || t == Type::kS64; }

Rounding rounding_of(const Instruction& i) {
  switch (i.flags.rounding) {
    case 'z':
      return Rounding::kTowardZero;
    case 'p':
      return Rounding::kUp;
    case 'm':
      return Rounding::kDown;
    default:
      return Rounding::kNearestEven;
  }
}

/// An integer operand, sign- or zero-extended from its type.
Int128 integer_operand(const Machine& m, const Instruction& i) {
  const std::uint64_t bits = read<std::uint64_t>(m, i.operands[1]);
  const unsigned spare = 64 - 8 * type_bytes(i.source_type);
  if (is_signed(i.source_type)) return static_cast<std::int64_t>(bits << spare) >> spare;
  return bits << spare >> spare;
}

double float_operand(const Machine& m, const Instruction& i) {
  const Operand& o = i.operands[1];
  switch (i.source_type) {
    case Type::kF16:
      return numerics::to_float<Binary16>(read<std::uint16_t>(m, o));
    case Type::kBf16:
      return numerics::to_float<Bfloat16>(read<std::uint16_t>(m, o));
    case Type::kF32:
      return i.flags.ftz ? flushed(read<float>(m, o)) : read<float>(m, o);
    default:
      return read<double>(m, o);
  }
}

double rounded_to_integer(const Instruction& i, double x) {
  switch (i.flags.rounding) {
    case 'z':
      return std::trunc(x);
    case 'p':
      return std::ceil(x);
    case 'm':
      return std::floor(x);
    default:
      return std::nearbyint(x);
  }
}

/// Clamps to the type's range if `clamp`, else keeps the low bits; a signed result fills its register with its sign.
void write_integer(Machine& m, const Instruction& i, Int128 value, bool clamp) {
  const unsigned bits = 8 * type_bytes(i.type);
  if (clamp) {
    const Int128 low = is_signed(i.type) ? -(Int128{1} << (bits - 1)) : 0;
    const Int128 high = low + ((Int128{1} << bits) - 1);
    value = value < low ? low : value > high ? high : value;
  }
  const unsigned spare = 64 - bits;
  const std::uint64_t word = static_cast<std::uint64_t>(value) << spare;
  write(m, i.operands[0],
        is_signed(i.type) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(word) >> spare) : word >> spare);
}

void integer_to_integer(Machine& m, const Instruction& i) { write_integer(m, i, integer_operand(m, i), i.flags.sat); }

void float_to_integer(Machine& m, const Instruction& i) {
  const double x = rounded_to_integer(i, float_operand(m, i));
  const Int128 limit = Int128{1} << 70;
  write_integer(m, i, x != x ? 0 : x > 1e21 ? limit : x < -1e21 ? -limit : static_cast<Int128>(x), true);
}

void integer_to_float(Machine& m, const Instruction& i) {
  const Int128 value = integer_operand(m, i);
  const bool negative = value < 0;
  const auto magnitude = static_cast<std::uint64_t>(negative ? -value : value);
  auto encoded = [&]<class F>(F*) {
    return numerics::encode<F>(negative, magnitude, 0, rounding_of(i), Overflow::kIeee);
  };
  switch (i.type) {
    case Type::kF16:
      return write(m, i.operands[0], encoded(static_cast<Binary16*>(nullptr)));
    case Type::kBf16:
      return write(m, i.operands[0], encoded(static_cast<Bfloat16*>(nullptr)));
    case Type::kF32:
      return write(m, i.operands[0], encoded(static_cast<Binary32*>(nullptr)));
    default:
      return write(m, i.operands[0], encoded(static_cast<Binary64*>(nullptr)));
  }
}

/// Every source format is exact in binary64.
template <class F>
typename F::Storage narrowed(const Instruction& i, double x, Overflow overflow = Overflow::kIeee) {
  return numerics::convert<F, Binary64>(numerics::bits_of_double(x), rounding_of(i), overflow);
}

void float_to_float(Machine& m, const Instruction& i) {
  double x = float_operand(m, i);
  if (i.flags.to_integer) x = rounded_to_integer(i, x);
  if (i.flags.sat) x = x > 0 ? (x < 1 ? x : 1) : 0;
  if (i.flags.variant == 'r' && !(x > 0)) x = x != x ? x : 0;
  switch (i.type) {
    case Type::kF16:
      return write(m, i.operands[0], narrowed<Binary16>(i, x));
    case Type::kBf16:
      return write(m, i.operands[0], narrowed<Bfloat16>(i, x));
    case Type::kF32: {
      const float out = numerics::float_of_bits(narrowed<Binary32>(i, x));
      return write(m, i.operands[0], i.flags.ftz ? flushed(out) : out);
    }
    default:
      return write(m, i.operands[0], x);
  }
}

/// .relu: negative numbers and -0 become +0, a NaN stays.
double without_negative(const Instruction& i, double x) { return i.flags.variant == 'r' && !(x > 0) && x == x ? 0 : x; }

template <class F>
void write_pair(Machine& m, const Instruction& i, double high, double low) {
  const Overflow overflow = i.flags.sat ? Overflow::kSaturate : Overflow::kIeee;
  const auto part = [&](double x) { return std::uint32_t{narrowed<F>(i, without_negative(i, x), overflow)}; };
  write(m, i.operands[0], part(high) << (8 * sizeof(typename F::Storage)) | part(low));
}

/// `cvt.rn.f16x2.f32 d, a, b`: a becomes the high half, b the low one.
template <class F>
void pack(Machine& m, const Instruction& i) {
  const float high = read<float>(m, i.operands[1]), low = read<float>(m, i.operands[2]);
  write_pair<F>(m, i, high, low);
}

/// `cvt.rn.satfinite.e4m3x2.f16x2 d, a`
template <class F>
void narrow_pair(Machine& m, const Instruction& i) {
  const std::uint32_t a = read<std::uint32_t>(m, i.operands[1]);
  const auto half = [](std::uint32_t bits) { return numerics::to_float<Binary16>(static_cast<std::uint16_t>(bits)); };
  write_pair<F>(m, i, half(a >> 16), half(a));
}

/// `cvt.rn.f16x2.e4m3x2 d, a`
template <class F>
void unpack(Machine& m, const Instruction& i) {
  const std::uint32_t a = read<std::uint32_t>(m, i.operands[1]);
  const auto half = [&](std::uint32_t bits) -> std::uint32_t {
    const std::uint16_t code = numerics::convert<Binary16, F>(static_cast<std::uint8_t>(bits));
    const bool is_nan = (code & 0x7FFF) > 0x7C00;
    return i.flags.variant == 'r' && code >> 15 && !is_nan ? 0 : code;
  };
  write(m, i.operands[0], half(a) | half(a >> 8) << 16);
}

/// tf32: ten bits of mantissa, ties away from zero (.rna) or to even (.rn), or toward zero. A NaN is canonical, but for
/// .rna, which cuts it.
template <char Rounded>
void to_tf32(Machine& m, const Instruction& i) {
  std::uint32_t bits = read<std::uint32_t>(m, i.operands[1]);
  const bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
  if (i.flags.variant == 'r' && bits >> 31 && !is_nan) bits = 0;
  if ((bits & 0x7f800000) != 0x7f800000 && Rounded != 'z') bits += Rounded == 'a' ? 0x1000 : 0xfff + (bits >> 13 & 1);
  if (is_nan && Rounded != 'a') bits = 0x7fffffff;
  write(m, i.operands[0], bits & 0xffffe000);
}

Handler choose_cvt(Instruction& i, Modifiers& m) {
  i.flags.rounding = m.take_one_of("nzpmnzpm", {"rn", "rz", "rp", "rm", "rni", "rzi", "rpi", "rmi"});
  const bool away = m.take("rna");
  i.flags.ftz = m.take("ftz");
  i.flags.sat = m.take("sat") || m.take("satfinite");
  if (m.take("relu")) i.flags.variant = 'r';
  if (m.take("tf32")) {
    if (m.take_type() != Type::kF32 || i.flags.sat) return nullptr;
    return away ? &to_tf32<'a'> : i.flags.rounding == 'z' ? &to_tf32<'z'> : &to_tf32<'n'>;
  }
  if (away) return nullptr;
  const bool to_fp8 = m.first() == "e4m3x2" || m.first() == "e5m2x2";
  const char fp8 = m.take_one_of("45", {"e4m3x2", "e5m2x2"});
  i.type = m.take_type();
  if (to_fp8 && i.type == Type::kF16x2) return fp8 == '4' ? &narrow_pair<E4m3> : &narrow_pair<E5m2>;
  if (fp8 && i.type == Type::kF16x2) return fp8 == '4' ? &unpack<E4m3> : &unpack<E5m2>;
  if (fp8 && i.type == Type::kF32 && i.operands.size() == 3) return fp8 == '4' ? &pack<E4m3> : &pack<E5m2>;
  i.source_type = m.take_type();
  if (fp8 || i.source_type == Type::kNone) return nullptr;
  if (i.operands.size() == 3 && i.source_type == Type::kF32) {
    return i.type == Type::kF16x2 ? &pack<Binary16> : i.type == Type::kBf16x2 ? &pack<Bfloat16> : nullptr;
  }
  if (is_float(i.source_type)) return is_float(i.type) ? &float_to_float : &float_to_integer;
  return is_float(i.type) ? &integer_to_float : &integer_to_integer;
}

/// f32 to f32 rounds to an integer only if asked by .rni and its kin.
Handler choose_cvt_named(Instruction& i, Modifiers& m) {
  Modifiers copy = m;
  i.flags.to_integer = copy.take("rni") || copy.take("rzi") || copy.take("rpi") || copy.take("rmi");
  return choose_cvt(i, m);
}

}  // namespace

std::vector<MnemonicRow> convert_mnemonics() { return {{"cvt", choose_cvt_named}}; }

}  // namespace offgrid::emu::ptx
