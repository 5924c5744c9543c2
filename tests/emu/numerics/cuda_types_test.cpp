/// The types of CUDA's 16-bit headers: their layout, names, constants, operators and implicit conversions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include "catch.h"

namespace {

template <class T>
constexpr bool kPlain = std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T> &&
                        std::is_trivially_destructible_v<T> && std::is_standard_layout_v<T>;
template <class T, std::size_t Size>
constexpr bool kLaidOut = kPlain<T> && sizeof(T) == Size && alignof(T) == Size;

static_assert(kLaidOut<__half, 2> && kLaidOut<__half_raw, 2> && kLaidOut<__half2, 4> && kLaidOut<__half2_raw, 4>);
static_assert(kLaidOut<__nv_bfloat16, 2> && kLaidOut<__nv_bfloat16_raw, 2> && kLaidOut<__nv_bfloat162, 4> &&
              kLaidOut<__nv_bfloat162_raw, 4>);
static_assert(std::is_same_v<half, __half> && std::is_same_v<half2, __half2> && std::is_same_v<nv_half, __half> &&
              std::is_same_v<nv_half2, __half2> && std::is_same_v<__nv_half, __half> &&
              std::is_same_v<__nv_half2, __half2> && std::is_same_v<__nv_half_raw, __half_raw> &&
              std::is_same_v<__nv_half2_raw, __half2_raw>);
static_assert(std::is_same_v<nv_bfloat16, __nv_bfloat16> && std::is_same_v<nv_bfloat162, __nv_bfloat162>);
static_assert(!std::is_convertible_v<__half, __nv_bfloat16> && std::is_constructible_v<__nv_bfloat16, __half>);
static_assert(std::is_convertible_v<__half, float> && std::is_convertible_v<double, __half>);

#if !defined(__CUDA_FP16_TYPES_EXIST__) || !defined(__CUDA_BF16_TYPES_EXIST__)
#error "other headers ask for these macros"
#endif

/// Everything that reads the same for both types.
template <class T, class T2>
void check_uses() {
  T a = 1.5f, b = T(0.25), c = T(3), d = T(short{-2});
  CHECK(float(a + b) == 1.75f);
  CHECK(float(a - b) == 1.25f);
  CHECK(float(a * c) == 4.5f);
  CHECK(float(c / a) == 2.0f);
  CHECK(float(-d) == 2.0f);
  CHECK(float(+d) == -2.0f);
  a += b;
  a -= T(0.5f);
  a *= c;
  a /= T(2.0f);
  CHECK(float(a) == 1.875f);
  CHECK(float(a++) == 1.875f);
  CHECK(float(++a) == 3.875f);
  CHECK(float(a--) == 3.875f);
  CHECK(float(--a) == 1.875f);
  CHECK((a != b && b < a && a > b && b <= a && a >= b && !(a == b)));
  CHECK(static_cast<int>(T(-7.75f)) == -7);
  CHECK(static_cast<unsigned char>(T(300.0f)) == 255);
  CHECK(static_cast<char>(T(-300.0f)) == -128);
  CHECK(static_cast<long long>(T(-0.75f)) == 0);
  CHECK_FALSE(static_cast<bool>(T(-0.0f)));
  CHECK(static_cast<bool>(T(0.5f)));
  a = 2;
  a = 2u;
  a = 2ll;
  a = 2.0;
  CHECK(float(a) == 2.0f);

  volatile T shared_slot = b;
  shared_slot = static_cast<typename T::Raw>(c);
  const T read_back = T(static_cast<typename T::Raw>(shared_slot));
  CHECK(float(read_back) == 3.0f);

  T2 v(a, b), w(c, c);
  v += w;
  v -= T2(b, b);
  v *= w;
  v /= T2(a, a);
  CHECK((float(v.x) == 7.125f && float(v.y) == 4.5f));
  CHECK((v == v && v >= w && w <= v && !(v < w) && v > w && !(v != v)));
  const T2 before = v++;
  CHECK((float(before.x) == 7.125f && float((-v).x) == -8.125f && float((+--v).x) == 7.125f && float((++v).y) == 5.5f));
  v--;
  CHECK(float((v + w * v / v - w).y) == 4.5f);
  T2 zero{};
  CHECK((float(zero.x) == 0.0f && float(zero.y) == 0.0f));
}

}  // namespace

TEST_CASE("CudaFp16.TypeReadsLikeANumber") { check_uses<__half, __half2>(); }
TEST_CASE("CudaBf16.TypeReadsLikeANumber") { check_uses<__nv_bfloat16, __nv_bfloat162>(); }

TEST_CASE("CudaFp16.ConstantsHaveTheirCodes") {
  CHECK(__half_as_ushort(CUDART_INF_FP16) == 0x7c00);
  CHECK(__half_as_ushort(CUDART_NAN_FP16) == 0x7fff);
  CHECK(__half_as_ushort(CUDART_MIN_DENORM_FP16) == 1);
  CHECK(__half_as_ushort(CUDART_MAX_NORMAL_FP16) == 0x7bff);
  CHECK(__half_as_ushort(CUDART_NEG_ZERO_FP16) == 0x8000);
  CHECK(__half_as_ushort(CUDART_ZERO_FP16) == 0);
  CHECK(__half2float(CUDART_ONE_FP16) == 1.0f);
  CHECK(__bfloat16_as_ushort(CUDART_INF_BF16) == 0x7f80);
  CHECK(__bfloat16_as_ushort(CUDART_NAN_BF16) == 0x7fff);
  CHECK(__bfloat16_as_ushort(CUDART_MIN_DENORM_BF16) == 1);
  CHECK(__bfloat16_as_ushort(CUDART_MAX_NORMAL_BF16) == 0x7f7f);
  CHECK(__bfloat16_as_ushort(CUDART_NEG_ZERO_BF16) == 0x8000);
  CHECK(__bfloat16_as_ushort(CUDART_ZERO_BF16) == 0);
  CHECK(__bfloat162float(CUDART_ONE_BF16) == 1.0f);
}

TEST_CASE("CudaFp16.LanesGoWhereTheirNamesSay") {
  const __half2 a = __floats2half2_rn(1, 2), b = make_half2(__half(3.0f), __half(4.0f));
  const auto is = [](__half2 v, float low, float high) { return __low2float(v) == low && __high2float(v) == high; };
  CHECK(is(__lows2half2(a, b), 1, 3));
  CHECK(is(__highs2half2(a, b), 2, 4));
  CHECK(is(__low2half2(a), 1, 1));
  CHECK(is(__high2half2(a), 2, 2));
  CHECK(is(__half2half2(__low2half(b)), 3, 3));
  CHECK(is(__halves2half2(__high2half(b), __low2half(a)), 4, 1));
  CHECK(is(__lowhigh2highlow(a), 2, 1));
  CHECK(is(__float2half2_rn(5), 5, 5));
  CHECK(is(__float22half2_rn(make_float2(6, 7)), 6, 7));
  CHECK(__half22float2(b).y == 4.0f);
  __half2 memory = a;
  __stcg(&memory, b);
  CHECK(is(__ldcv(&memory), 3, 4));
  CHECK(__half2float(__ldg(&memory.y)) == 4.0f);
  // x lies in the lower half of the word.
  CHECK(__builtin_bit_cast(unsigned, a) == 0x40003c00u);
}
