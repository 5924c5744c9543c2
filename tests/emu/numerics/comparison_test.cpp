/// Comparisons, minimum and maximum, the _sat and _relu forms: their rules for NaN and for zeros of both signs.
#include <offgrid/emu/numerics/bfloat16.h>
#include <offgrid/emu/numerics/half.h>

#include <cmath>

#include "catch.h"
#include "operands.h"

namespace {

template <class T>
T of(unsigned code) {
  return T(typename T::Raw{static_cast<unsigned short>(code)});
}
template <class T>
unsigned code_of(T value) {
  return static_cast<typename T::Raw>(value).x;
}

/// Codes that meet often: zeros, ones, infinities, NaN of both signs, subnormals, and random ones.
template <class T>
class Codes {
 public:
  unsigned next() {
    const unsigned infinity = code_of(T(INFINITY));
    const unsigned special[] = {0,      0x8000, 1,           0x8001, infinity, infinity | 0x8000, infinity + 1,
                                0xffff, 0x7fff, infinity - 1};
    return random_.below(3) == 0 ? special[random_.below(10)] : random_.code();
  }

 private:
  operands::Random random_{51};
};

template <class T>
std::uint64_t wrong_comparisons() {
  std::uint64_t wrong = 0;
  Codes<T> codes;
  for (int i = 0; i < 500000; ++i) {
    const T a = of<T>(codes.next()), b = i % 8 == 0 ? a : of<T>(codes.next());
    const auto x = static_cast<double>(static_cast<float>(a)), y = static_cast<double>(static_cast<float>(b));
    const bool unordered = std::isnan(x) || std::isnan(y);
    wrong += __heq(a, b) != (x == y);
    wrong += __hne(a, b) != (!unordered && x != y);
    wrong += __hlt(a, b) != (x < y);
    wrong += __hle(a, b) != (x <= y);
    wrong += __hgt(a, b) != (x > y);
    wrong += __hge(a, b) != (x >= y);
    wrong += __hequ(a, b) != (unordered || x == y);
    wrong += __hneu(a, b) != (x != y);
    wrong += __hltu(a, b) != (unordered || x < y);
    wrong += __hleu(a, b) != (unordered || x <= y);
    wrong += __hgtu(a, b) != (unordered || x > y);
    wrong += __hgeu(a, b) != (unordered || x >= y);
    wrong += (a == b) != (x == y);
    wrong += (a != b) != (x != y);
    wrong += (a < b) != (x < y);
    wrong += (a >= b) != (x >= y);
    wrong += __hisnan(a) != std::isnan(x);
    wrong += __hisinf(a) != (std::isinf(x) ? (x < 0 ? -1 : 1) : 0);
  }
  return wrong;
}

template <class T>
std::uint64_t wrong_extremes() {
  std::uint64_t wrong = 0;
  Codes<T> codes;
  for (int i = 0; i < 500000; ++i) {
    const T a = of<T>(codes.next()), b = of<T>(codes.next());
    const auto x = static_cast<float>(a), y = static_cast<float>(b);
    const bool a_first = x < y || (x == y && std::signbit(x));  // -0 comes before +0
    unsigned least = code_of(a_first ? a : b), greatest = code_of(a_first ? b : a);
    if (std::isnan(x)) least = greatest = code_of(b);
    if (std::isnan(y)) least = greatest = code_of(a);
    if (std::isnan(x) && std::isnan(y)) least = greatest = 0x7fff;
    const bool any_nan = std::isnan(x) || std::isnan(y);
    wrong += code_of(__hmin(a, b)) != least;
    wrong += code_of(__hmax(a, b)) != greatest;
    wrong += code_of(__hmin_nan(a, b)) != (any_nan ? 0x7fff : least);
    wrong += code_of(__hmax_nan(a, b)) != (any_nan ? 0x7fff : greatest);
  }
  return wrong;
}

/// The clamped forms against the plain result.
template <class T>
std::uint64_t wrong_clamps() {
  std::uint64_t wrong = 0;
  Codes<T> codes;
  const auto saturated = [](T plain) {
    const auto f = static_cast<float>(plain);
    return !(f > 0) ? 0u : f > 1 ? code_of(T(1.0f)) : code_of(plain);
  };
  for (int i = 0; i < 200000; ++i) {
    const T a = of<T>(codes.next()), b = of<T>(codes.next()), c = of<T>(codes.next());
    const T plain = __hfma(a, b, c);
    const auto f = static_cast<float>(plain);
    wrong += code_of(__hfma_relu(a, b, c)) != (std::isnan(f) ? 0x7fffu : f > 0 ? code_of(plain) : 0u);
    wrong += code_of(__hfma_sat(a, b, c)) != saturated(plain);
    wrong += code_of(__hadd_sat(a, b)) != saturated(__hadd(a, b));
    wrong += code_of(__hsub_sat(a, b)) != saturated(__hsub(a, b));
    wrong += code_of(__hmul_sat(a, b)) != saturated(__hmul(a, b));
    wrong += code_of(__habs(a)) != (__hisnan(a) ? 0x7fffu : code_of(a) & 0x7fff);
    wrong += code_of(__hneg(a)) != (__hisnan(a) ? 0x7fffu : code_of(a) ^ 0x8000);
  }
  return wrong;
}

/// The two-lane forms do in each lane what the scalar form does.
template <class T, class T2>
std::uint64_t wrong_lanes() {
  std::uint64_t wrong = 0;
  Codes<T> codes;
  for (int i = 0; i < 100000; ++i) {
    const T2 a(of<T>(codes.next()), of<T>(codes.next())), b(of<T>(codes.next()), of<T>(codes.next())), c(b.y, a.x);
    const auto same = [&](T2 got, T low, T high) {
      wrong += code_of(got.x) != code_of(low) || code_of(got.y) != code_of(high);
    };
    same(__hadd2(a, b), __hadd(a.x, b.x), __hadd(a.y, b.y));
    same(__hfma2(a, b, c), __hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
    same(__h2div(a, b), a.x / b.x, a.y / b.y);
    same(__hmax2_nan(a, b), __hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));
    same(__hcmadd(a, b, c), __hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
    same(__hlt2(a, b), T(a.x < b.x ? 1.0f : 0.0f), T(a.y < b.y ? 1.0f : 0.0f));
    same(__hisnan2(a), T(__hisnan(a.x) ? 1.0f : 0.0f), T(__hisnan(a.y) ? 1.0f : 0.0f));
    same(a - b, a.x - b.x, a.y - b.y);
    same(__lowhigh2highlow(a), a.y, a.x);
    wrong += __hgeu2_mask(a, b) != ((__hgeu(a.x, b.x) ? 0xffffu : 0u) | (__hgeu(a.y, b.y) ? 0xffff0000u : 0u));
    wrong += __hbne2(a, b) != (__hne(a.x, b.x) && __hne(a.y, b.y));
    wrong += (a != b) != (a.x != b.x && a.y != b.y);
  }
  return wrong;
}

}  // namespace

TEST_CASE("Half.ComparisonsFollowTheValues") {
  CHECK(wrong_comparisons<__half>() == 0);
  CHECK(wrong_comparisons<__nv_bfloat16>() == 0);
}
TEST_CASE("Half.MinimumAndMaximumOrderZerosAndDropNan") {
  CHECK(wrong_extremes<__half>() == 0);
  CHECK(wrong_extremes<__nv_bfloat16>() == 0);
}
TEST_CASE("Half.SaturatedAndReluFormsClampThePlainResult") {
  CHECK(wrong_clamps<__half>() == 0);
  CHECK(wrong_clamps<__nv_bfloat16>() == 0);
}
TEST_CASE("Half2.WorksLaneByLane") {
  CHECK(wrong_lanes<__half, __half2>() == 0);
  CHECK(wrong_lanes<__nv_bfloat16, __nv_bfloat162>() == 0);
}
