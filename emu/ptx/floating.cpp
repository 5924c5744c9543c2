// Floating-point arithmetic: the f16, bf16, f32 and f64 forms of add, sub, mul, fma, div, abs, neg, and rcp, sqrt,
// rsqrt, ex2, lg2, sin, cos, tanh. The approximations give the device's bits (numerics/special_function.h), where the
// settings say `fast` the C library's values, rounded once.
#include <offgrid/emu/device/rounded.h>
#include <offgrid/emu/numerics/arithmetic.h>
#include <offgrid/emu/numerics/comparison.h>
#include <offgrid/emu/numerics/float_functions.h>
#include <offgrid/emu/numerics/math.h>
#include <offgrid/emu/numerics/special_function.h>

#include <cmath>

#include "device/device_value.h"
#include "ptx/machine.h"
#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {
namespace {

using formats::Bfloat16;
using formats::Binary16;

float input(const Instruction& i, float x) { return i.flags.ftz ? flushed(x) : x; }
double input(const Instruction&, double x) { return x; }

void finish(Machine& m, const Instruction& i, float x) {
  if (i.flags.ftz) x = flushed(x);
  if (i.flags.sat) x = x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;  // NaN becomes 0
  write(m, i.operands[0], x);
}
void finish(Machine& m, const Instruction& i, double x) { write(m, i.operands[0], x); }

/// One operation in the instruction's rounding.
#define OFFGRID_PTX_ROUNDED(Op, f32, f64)              \
  struct Op {                                          \
    template <class T, class... More>                  \
    static T apply(char rounding, T a, More... more) { \
      if constexpr (sizeof(T) == 4) {                  \
        switch (rounding) {                            \
          case 'z':                                    \
            return f32##_rz(a, more...);               \
          case 'p':                                    \
            return f32##_ru(a, more...);               \
          case 'm':                                    \
            return f32##_rd(a, more...);               \
          default:                                     \
            return f32##_rn(a, more...);               \
        }                                              \
      } else {                                         \
        switch (rounding) {                            \
          case 'z':                                    \
            return f64##_rz(a, more...);               \
          case 'p':                                    \
            return f64##_ru(a, more...);               \
          case 'm':                                    \
            return f64##_rd(a, more...);               \
          default:                                     \
            return f64##_rn(a, more...);               \
        }                                              \
      }                                                \
    }                                                  \
  }
OFFGRID_PTX_ROUNDED(Add, __fadd, __dadd);
OFFGRID_PTX_ROUNDED(Sub, __fsub, __dsub);
OFFGRID_PTX_ROUNDED(Mul, __fmul, __dmul);
OFFGRID_PTX_ROUNDED(Div, __fdiv, __ddiv);
OFFGRID_PTX_ROUNDED(Fma, __fmaf, __fma);
OFFGRID_PTX_ROUNDED(Rcp, __frcp, __drcp);
OFFGRID_PTX_ROUNDED(Sqrt, __fsqrt, __dsqrt);
#undef OFFGRID_PTX_ROUNDED

template <class Op, class T>
void rounded1(Machine& m, const Instruction& i) {
  finish(m, i, Op::apply(i.flags.rounding, input(i, read<T>(m, i.operands[1]))));
}
template <class Op, class T>
void rounded2(Machine& m, const Instruction& i) {
  finish(m, i, Op::apply(i.flags.rounding, input(i, read<T>(m, i.operands[1])), input(i, read<T>(m, i.operands[2]))));
}
template <class Op, class T>
void rounded3(Machine& m, const Instruction& i) {
  finish(m, i,
         Op::apply(i.flags.rounding, input(i, read<T>(m, i.operands[1])), input(i, read<T>(m, i.operands[2])),
                   input(i, read<T>(m, i.operands[3]))));
}

/// Operations on 16-bit formats, one element at a time. `Pair`: two in 32 bits.
struct Add16 {
  template <class F>
  static std::uint16_t apply(std::uint16_t a, std::uint16_t b, std::uint16_t) {
    return numerics::add<F>(a, b);
  }
};
struct Sub16 {
  template <class F>
  static std::uint16_t apply(std::uint16_t a, std::uint16_t b, std::uint16_t) {
    return numerics::subtract<F>(a, b);
  }
};
struct Mul16 {
  template <class F>
  static std::uint16_t apply(std::uint16_t a, std::uint16_t b, std::uint16_t) {
    return numerics::multiply<F>(a, b);
  }
};
struct Fma16 {
  template <class F>
  static std::uint16_t apply(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    return numerics::fma<F>(a, b, c);
  }
};
struct Abs16 {
  template <class F>
  static std::uint16_t apply(std::uint16_t a, std::uint16_t, std::uint16_t) {
    return numerics::absolute<F>(a);
  }
};
struct Neg16 {
  template <class F>
  static std::uint16_t apply(std::uint16_t a, std::uint16_t, std::uint16_t) {
    return numerics::negate<F>(a);
  }
};
struct Ex2Of16 {
  template <class F>
  static std::uint16_t apply(std::uint16_t a, std::uint16_t, std::uint16_t) {
    return exact_numerics() ? numerics::exponential2_approximate<F>(a) : numerics::exponential2<F>(a);
  }
};
struct TanhOf16 {
  template <class F>
  static std::uint16_t apply(std::uint16_t a, std::uint16_t, std::uint16_t) {
    return exact_numerics() ? numerics::hyperbolic_tangent_approximate<F>(a) : numerics::hyperbolic_tangent<F>(a);
  }
};

template <class Op, class F>
void small_float(Machine& m, const Instruction& i) {
  const bool pair = i.type == Type::kF16x2 || i.type == Type::kBf16x2;
  std::uint32_t words[3] = {0, 0, 0};
  for (std::size_t k = 1; k < i.operands.size(); ++k) words[k - 1] = read<std::uint32_t>(m, i.operands[k]);
  std::uint32_t out = 0;
  for (unsigned shift = 0; shift < (pair ? 32u : 16u); shift += 16) {
    std::uint16_t element = Op::template apply<F>(static_cast<std::uint16_t>(words[0] >> shift),
                                                  static_cast<std::uint16_t>(words[1] >> shift),
                                                  static_cast<std::uint16_t>(words[2] >> shift));
    if (i.flags.sat) element = numerics::saturate<F>(element);
    if (i.flags.variant == 'r') element = numerics::relu<F>(element);
    out |= static_cast<std::uint32_t>(element) << shift;
  }
  write(m, i.operands[0], out);
}

template <class Op>
Handler choose_small(Type type) {
  if (type == Type::kF16 || type == Type::kF16x2) return &small_float<Op, Binary16>;
  if (type == Type::kBf16 || type == Type::kBf16x2) return &small_float<Op, Bfloat16>;
  return nullptr;
}

template <class T>
struct AbsNeg {
  static void abs(Machine& m, const Instruction& i) { finish(m, i, std::fabs(input(i, read<T>(m, i.operands[1])))); }
  static void neg(Machine& m, const Instruction& i) { finish(m, i, -input(i, read<T>(m, i.operands[1]))); }
};

/// An instruction of the special-function unit: its two forms, and what `fast` computes.
struct Approximation {
  float (*exact)(float), (*exact_ftz)(float), (*library)(float);
};
constexpr Approximation kEx2 = {numerics::ex2_approx, numerics::ex2_approx_ftz, [](float x) { return std::exp2(x); }};
constexpr Approximation kLg2 = {numerics::lg2_approx, numerics::lg2_approx_ftz, [](float x) { return std::log2(x); }};
constexpr Approximation kSin = {numerics::sin_approx, numerics::sin_approx_ftz, [](float x) { return std::sin(x); }};
constexpr Approximation kCos = {numerics::cos_approx, numerics::cos_approx_ftz, [](float x) { return std::cos(x); }};
constexpr Approximation kTanh = {numerics::tanh_approx, numerics::tanh_approx, [](float x) { return std::tanh(x); }};
constexpr Approximation kRcp = {numerics::rcp_approx, numerics::rcp_approx_ftz, [](float x) { return 1.0f / x; }};
constexpr Approximation kSqrt = {numerics::sqrt_approx, numerics::sqrt_approx_ftz,
                                 [](float x) { return std::sqrt(x); }};
constexpr Approximation kRsqrt = {numerics::rsqrt_approx, numerics::rsqrt_approx_ftz,
                                  [](float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }};

template <const Approximation& function>
void approximation(Machine& m, const Instruction& i) {
  const float x = input(i, read<float>(m, i.operands[1]));
  finish(m, i, device_value(i.flags.ftz ? function.exact_ftz : function.exact, function.library, x));
}

/// div.approx and div.full.
using Quotient = float (*)(float, float, numerics::Subnormals);
template <Quotient quotient>
void approximate_division(Machine& m, const Instruction& i) {
  const auto subnormals = i.flags.ftz ? numerics::Subnormals::kFlush : numerics::Subnormals::kKeep;
  const auto exact = [=](float x, float y) { return quotient(x, y, subnormals); };
  const float x = input(i, read<float>(m, i.operands[1])), y = input(i, read<float>(m, i.operands[2]));
  finish(m, i, device_value(exact, [](float a, float b) { return a / b; }, x, y));
}

double reciprocal_root_of(double x) { return 1.0 / std::sqrt(x); }
void rsqrt64(Machine& m, const Instruction& i) { finish(m, i, reciprocal_root_of(read<double>(m, i.operands[1]))); }

void read_rounding(Instruction& i, Modifiers& m) {
  i.flags.rounding = m.take_one_of("nzpm", {"rn", "rz", "rp", "rm"});
  i.flags.ftz = m.take("ftz");
  i.flags.sat = m.take("sat");
  m.take("approx");
  m.take("full");
}

/// An operation that has a rounded form and an approximate one.
template <class Op, const Approximation& approximate>
Handler choose_one(Instruction& i, Modifiers& m) {
  const bool is_approximate = m.take("approx");
  read_rounding(i, m);
  i.type = m.take_type();
  return i.type == Type::kF32   ? is_approximate ? Handler{&approximation<approximate>} : Handler{&rounded1<Op, float>}
           : i.type == Type::kF64 ? Handler{&rounded1<Op, double>}
                                : nullptr;
}
template <const Approximation& function>
Handler choose_function(Instruction& i, Modifiers& m) {
  read_rounding(i, m);
  i.type = m.take_type();
  return i.type == Type::kF32 ? Handler{&approximation<function>} : nullptr;
}
/// One that 16-bit formats have, too.
template <const Approximation& function, class Op16>
Handler choose_function_of_any(Instruction& i, Modifiers& m) {
  const Handler handler = choose_function<function>(i, m);
  return handler ? handler : choose_small<Op16>(i.type);
}
Handler choose_rsqrt(Instruction& i, Modifiers& m) {
  const Handler handler = choose_function<kRsqrt>(i, m);
  return i.type == Type::kF64 ? Handler{&rsqrt64} : handler;
}

}  // namespace

/// The floating-point form of an arithmetic instruction whose type has been read.
Handler choose_float_arithmetic(std::string_view name, Instruction& i, Modifiers& m) {
  const bool approx = m.take("approx"), full = m.take("full");
  read_rounding(i, m);
  if (m.take("relu")) i.flags.variant = 'r';
  const bool f32 = i.type == Type::kF32, f64 = i.type == Type::kF64;
#define OFFGRID_PTX_FLOAT(word, shape, Op, Op16) \
  if (name == word) {                            \
    if (f32) return &shape<Op, float>;           \
    if (f64) return &shape<Op, double>;          \
    return choose_small<Op16>(i.type);           \
  }
  OFFGRID_PTX_FLOAT("add", rounded2, Add, Add16)
  OFFGRID_PTX_FLOAT("sub", rounded2, Sub, Sub16)
  OFFGRID_PTX_FLOAT("mul", rounded2, Mul, Mul16)
  OFFGRID_PTX_FLOAT("fma", rounded3, Fma, Fma16)
#undef OFFGRID_PTX_FLOAT
  if (name == "div" && f32 && approx) return &approximate_division<numerics::fast_fdividef>;
  if (name == "div" && f32 && full) return &approximate_division<numerics::div_full>;
  if (name == "div") return f32 ? Handler{&rounded2<Div, float>} : f64 ? Handler{&rounded2<Div, double>} : nullptr;
  if (name == "abs") return f32 ? &AbsNeg<float>::abs : f64 ? &AbsNeg<double>::abs : choose_small<Abs16>(i.type);
  if (name == "neg") return f32 ? &AbsNeg<float>::neg : f64 ? &AbsNeg<double>::neg : choose_small<Neg16>(i.type);
  return nullptr;
}

std::vector<MnemonicRow> float_mnemonics() {
  return {{"rcp", choose_one<Rcp, kRcp>}, {"sqrt", choose_one<Sqrt, kSqrt>},
          {"rsqrt", choose_rsqrt},        {"ex2", choose_function_of_any<kEx2, Ex2Of16>},
          {"lg2", choose_function<kLg2>}, {"sin", choose_function<kSin>},
          {"cos", choose_function<kCos>}, {"tanh", choose_function_of_any<kTanh, TanhOf16>}};
}

}  // namespace offgrid::emu::ptx
