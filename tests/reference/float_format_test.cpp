// Float formats against independent sources: the compiler's own float and half, and tables of the formats' documents.
#include <offgrid/reference/float_format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "catch.h"

namespace ref = offgrid::reference;

namespace {

constexpr ref::FloatFormat kAll[] = {ref::kBf16, ref::kFp16, ref::kE4m3, ref::kE4m3Fnuz, ref::kE5m2};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("FloatFormat.Bf16IsTheUpperHalfOfFloat") {
  int wrong = 0;
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const double want = std::bit_cast<float>(code << 16);
    const double got = ref::decode(ref::kBf16, code);
    wrong +=
        std::isnan(want) ? !std::isnan(got) : std::bit_cast<std::uint64_t>(got) != std::bit_cast<std::uint64_t>(want);
  }
  CHECK(wrong == 0);
}

TEST_CASE("FloatFormat.EveryCodeSurvivesDecodeAndEncode") {
  for (const auto& format : kAll) {
    CAPTURE(format.name);
    int wrong = 0;
    for (std::uint32_t code = 0; code < (1u << format.bits()); ++code) {
      const double value = ref::decode(format, code);
      if (!std::isnan(value)) wrong += ref::encode(format, value) != code;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("FloatFormat.RoundsToTheNearestNeighbourAndTiesToEven") {
  for (const auto& format : kAll) {
    CAPTURE(format.name);
    int wrong = 0;
    for (std::uint32_t code = 0; std::isfinite(ref::decode(format, code + 1)); ++code) {
      const double low = ref::decode(format, code);
      const double high = ref::decode(format, code + 1);
      const double middle = (low + high) / 2;
      wrong += ref::encode(format, middle) != (code % 2 == 0 ? code : code + 1);
      wrong += ref::encode(format, std::nextafter(middle, low)) != code;
      wrong += ref::encode(format, std::nextafter(middle, high)) != code + 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("FloatFormat.Fp32RoundsAsTheCpuDoes") {
  std::mt19937_64 random(1);
  int wrong = 0;
  for (int i = 0; i < 200000; ++i) {
    const double value = std::bit_cast<double>((random() & 0x800fffffffffffffu) | ((870 + random() % 300) << 52));
    wrong += ref::encode(ref::kFp32, value) != std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  CHECK(wrong == 0);
}

TEST_CASE("FloatFormat.TopOfTheCodeSpaceFollowsTheFormat") {
  CHECK(ref::kBf16.max_finite() == std::ldexp(255.0, 120));
  CHECK(ref::kFp16.max_finite() == 65504);
  CHECK(ref::kE4m3.max_finite() == 448);
  CHECK(ref::kE4m3Fnuz.max_finite() == 240);
  CHECK(ref::kE5m2.max_finite() == 57344);
  CHECK(ref::encode(ref::kFp16, 65520) == 0x7C00);
  CHECK(ref::encode(ref::kFp16, 65519.999) == 0x7BFF);
  CHECK(ref::encode(ref::kE4m3, 465) == 0x7F);
  CHECK(ref::encode(ref::kE4m3, 464) == 0x7E);
  CHECK(ref::encode(ref::kE4m3, -1e9, ref::Overflow::kSaturate) == 0xFE);
  CHECK(ref::encode(ref::kFp16, kInfinity, ref::Overflow::kSaturate) == 0x7BFF);
  CHECK(ref::encode(ref::kBf16, std::nan("")) == 0x7FFF);
  CHECK(ref::encode(ref::kE4m3Fnuz, std::nan("")) == 0x80);
  CHECK(ref::encode(ref::kE4m3Fnuz, -1e-9) == 0);
  CHECK(ref::encode(ref::kBf16, -0.0) == 0x8000);
}

TEST_CASE("FloatFormat.UlpCountsCodesAcrossZeroAndBinades") {
  CHECK(ref::ulp_distance(ref::kBf16, 0x3F80, 0x3F7F) == 1);
  CHECK(ref::ulp_distance(ref::kBf16, 0x0001, 0x8001) == 2);
  CHECK(ref::ulp_distance(ref::kBf16, 0x0000, 0x8000) == 0);
  CHECK(ref::ulp_distance(ref::kBf16, 0x7FFF, 0xFFC0) == 0);
  CHECK(ref::ulp_distance(ref::kBf16, 0x7FFF, 0) == std::numeric_limits<std::int64_t>::max());
  CHECK(ref::ulp_size(ref::kBf16, 1.0) == 0x1p-7);
  CHECK(ref::ulp_size(ref::kBf16, -0.99) == 0x1p-8);
  CHECK(ref::ulp_size(ref::kFp16, 0.0) == 0x1p-24);
  CHECK(ref::ulp_error(ref::kBf16, 1.0, 1.0 + 0x1p-8) == 0.5);
  CHECK(ref::ulp_error(ref::kBf16, 1.0, kInfinity) == kInfinity);
  CHECK(ref::ulp_error(ref::kBf16, std::nan(""), 1.0) == kInfinity);
  CHECK(ref::kBf16.unit_roundoff() == 0x1p-8);
}
