/// Exact numbers m * 2^e on big integers, and the judgement "this float is that number, rounded so". Independent of the
/// processor's arithmetic.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>

using BigInt = boost::multiprecision::cpp_int;

struct Exact {
  BigInt m;
  int e = 0;

  static Exact of(double x) {
    int e = 0;
    const double fraction = std::frexp(x, &e);  // |fraction| in [1/2, 1)
    return {BigInt(static_cast<long long>(std::ldexp(fraction, 53))), e - 53};
  }
  friend Exact operator+(const Exact& a, const Exact& b) {
    const int e = std::min(a.e, b.e);
    return {(a.m << (a.e - e)) + (b.m << (b.e - e)), e};
  }
  friend Exact operator-(const Exact& a) { return {-a.m, a.e}; }
  friend Exact operator*(const Exact& a, const Exact& b) { return {a.m * b.m, a.e + b.e}; }
  int sign() const { return m.sign(); }
};

/// The sign of (the exact result of an operation) - (a candidate value), for the operations whose result may be
/// irrational or a fraction: decided by multiplying back.
struct SumSide {  // a * b + c
  Exact a, b, c;
  int operator()(const Exact& v) const { return (a * b + c + -v).sign(); }
};
struct QuotientSide {  // a / b
  Exact a, b;
  int operator()(const Exact& v) const { return (a + -(v * b)).sign() * b.sign(); }
};
struct RootSide {  // sqrt(a)
  Exact a;
  int operator()(const Exact& v) const { return v.sign() < 0 ? 1 : (a + -(v * v)).sign(); }
};

enum class Mode { kNearest, kZero, kUp, kDown };

/// Whether r is the exact result, which `side` knows, rounded to Float by `mode`. r may be infinite, not NaN.
template <class Float, class Side>
bool is_rounded(Float r, const Side& side, Mode mode) {
  constexpr Float kInf = std::numeric_limits<Float>::infinity();
  constexpr int kEnd = std::numeric_limits<Float>::max_exponent;
  const Float up = std::nextafter(r, kInf), down = std::nextafter(r, -kInf);
  // An infinity counts as 2^kEnd when the nearest is asked for, and as beyond everything otherwise.
  const auto value = [](Float x) {
    return std::isinf(x) ? Exact{BigInt(x > 0 ? 1 : -1), kEnd} : Exact::of(static_cast<double>(x));
  };
  const auto side_of = [&](Float x) {
    return std::isinf(x) && mode != Mode::kNearest ? (x > 0 ? -1 : 1) : side(value(x));
  };
  if (mode == Mode::kZero) mode = side(Exact{}) >= 0 ? Mode::kDown : Mode::kUp;
  if (mode == Mode::kDown) return side_of(r) >= 0 && (r == kInf || side_of(up) < 0);
  if (mode == Mode::kUp) return side_of(r) <= 0 && (r == -kInf || side_of(down) > 0);
  const auto middle = [&](Float x) { return Exact{1, -1} * (value(r) + value(x)); };
  int exponent = 0;
  const bool even =
      std::isinf(r) || std::fmod(std::ldexp(std::frexp(static_cast<double>(r), &exponent),
                                            std::numeric_limits<Float>::digits +
                                                std::min(0, exponent - std::numeric_limits<Float>::min_exponent)),
                                 2.0) == 0;
  const int above = r == kInf ? -1 : side(middle(up)), below = r == -kInf ? 1 : side(middle(down));
  return (above < 0 || (above == 0 && even)) && (below > 0 || (below == 0 && even));
}
