/// The half and bfloat16 math functions against the device: a digest of all 65536 results of each.
///
/// source  measured on one H200, driver 580.159.04, CUDA 13.0: cuda_fp16.h and cuda_bf16.h compiled by nvcc 13.0.88 for
///         sm_90; the digest is FNV-1a over the result codes in the order of the operand codes, 16 bits a step
#include <offgrid/emu/numerics/bfloat16.h>
#include <offgrid/emu/numerics/half.h>

#include <type_traits>

#include "catch.h"

namespace {

template <class T>
struct DeviceResults {
  const char* name;
  T (*function)(T);
  std::uint64_t digest;
};

using offgrid::emu::formats::Bfloat16;
using offgrid::emu::formats::Binary16;

/// The instruction, for which no function of the headers stands.
template <class F, class T = std::conditional_t<std::is_same_v<F, Binary16>, __half, __nv_bfloat16>>
T ex2_approx(T x) {
  return T(typename T::Raw{offgrid::emu::numerics::exponential2_approximate<F>(static_cast<typename T::Raw>(x).x)});
}

constexpr DeviceResults<__half> kHalf[] = {
    {"hexp", hexp, 0x5e46f34870d9c24a},
    {"hexp2", hexp2, 0x86bcd1b16d971049},
    {"hexp10", hexp10, 0x1bb7c81d0cb5bbb4},
    {"hlog", hlog, 0x2a6afd6a6e20c0f3},
    {"hlog2", hlog2, 0x0352547aa688dd43},
    {"hlog10", hlog10, 0x6c2e53942cc8911e},
    {"hrcp", hrcp, 0x05bbfe5392695e15},
    {"hrsqrt", hrsqrt, 0xff1850733c6d97b9},
    {"hsqrt", hsqrt, 0xc1142978bebbc136},
    {"hsin", hsin, 0x56bff3176698a04d},
    {"hcos", hcos, 0x433b7463889c78e9},
    {"htanh", htanh, 0x2993c614ab7aafc9},
    {"hrint", hrint, 0x4789b14c5f1d9325},
    {"tanh.approx.f16", htanh_approx, 0xad1f254087177b9d},
    {"ex2.approx.f16", ex2_approx<Binary16>, 0x80729ac6ad55e21a},
};
constexpr DeviceResults<__nv_bfloat16> kBfloat16[] = {
    {"hexp", hexp, 0x12618ca55748dba1},
    {"hexp2", hexp2, 0x6ca9b716a483a027},
    {"hexp10", hexp10, 0x38d8e0177eaa53bd},
    {"hlog", hlog, 0x20c985081f836025},
    {"hlog2", hlog2, 0x4cd47af3425a8755},
    {"hlog10", hlog10, 0x961428cc0e72c6d9},
    {"hrcp", hrcp, 0xe289637d893f0ad1},
    {"hrsqrt", hrsqrt, 0x68d44c88667cd4ae},
    {"hsqrt", hsqrt, 0xf05fbe90820b9eec},
    {"hsin", hsin, 0x48d3b0e368735625},
    {"hcos", hcos, 0x17994338c98ce34d},
    {"htanh", htanh, 0xea230ac6925c6ab5},
    {"tanh.approx.bf16", htanh_approx, 0x0483e97475bf5a09},
    {"ex2.approx.ftz.bf16", ex2_approx<Bfloat16>, 0x70809a4dea78138a},
};

template <class T>
std::uint64_t digest_of(T (*function)(T)) {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (unsigned code = 0; code < 0x10000; ++code) {
    const T result = function(T(typename T::Raw{static_cast<unsigned short>(code)}));
    digest = (digest ^ static_cast<typename T::Raw>(result).x) * 0x100000001b3;
  }
  return digest;
}

}  // namespace

TEST_CASE("Half.MathFunctionsEqualTheDevice") {
  for (const auto& device : kHalf) {
    INFO(device.name);
    CHECK(digest_of(device.function) == device.digest);
  }
}

TEST_CASE("Half.CorrectlyRoundedApproximationsDoNot") {
  CHECK(digest_of<__half>(htanh) != 0xad1f254087177b9d);
  CHECK(digest_of<__half>(hexp2) != 0x80729ac6ad55e21a);
  CHECK(digest_of<__nv_bfloat16>(htanh) != 0x0483e97475bf5a09);
  CHECK(digest_of<__nv_bfloat16>(hexp2) != 0x70809a4dea78138a);
}

TEST_CASE("Bfloat16.MathFunctionsEqualTheDevice") {
  for (const auto& device : kBfloat16) {
    INFO(device.name);
    CHECK(digest_of(device.function) == device.digest);
  }
}
