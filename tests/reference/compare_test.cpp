// Comparison: what passes, what fails, and the words for it.
#include <offgrid/reference/compare.h>

#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"

namespace ref = offgrid::reference;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ref::Comparison one(double got, double want, double bound, const ref::FloatFormat& format = ref::kBf16) {
  const std::vector<std::uint32_t> bits{ref::encode(format, got)};
  return ref::compare("out", format, bits, ref::Tensor({{"d", 1}}, want), ref::Tensor({{"d", 1}}, bound), "test");
}

}  // namespace

TEST_CASE("Compare.AllowsTheBoundPlusTheOutputsOwnRounding") {
  CHECK(one(1.0, 1.0 + 0x1p-8, 0).ok());
  CHECK_FALSE(one(1.0, 1.0 + 0x1p-7, 0).ok());
  CHECK(one(1.0, 1.0 + 0x1p-7, 0x1p-8).ok());
  CHECK_FALSE(one(1e-3, 0, 0).ok());
}

TEST_CASE("Compare.NanNeverPassesAsASmallError") {
  const auto bad = one(kNan, 1, 1e9);
  CHECK(bad.outside == 1);
  CHECK(bad.wrong_nan == 1);
  CHECK(one(kNan, 1, kInfinity).outside == 1);
  CHECK(one(1, kNan, 1e9).missing_kind == 1);
  CHECK(one(kNan, kNan, 0).ok());
}

TEST_CASE("Compare.InfinitiesMustAgreeInSignAndPlace") {
  CHECK(one(-kInfinity, -kInfinity, 0).ok());
  CHECK(one(kInfinity, -kInfinity, 0).wrong_inf == 1);
  CHECK(one(3, -kInfinity, 1).missing_kind == 1);
  CHECK(one(kInfinity, 3, 1).wrong_inf == 1);
  CHECK(one(kInfinity, 65519, 1, ref::kFp16).ok());
  CHECK(one(kInfinity, 1e6, 1, ref::kFp16).ok());
  CHECK_FALSE(one(65504, 65000, 1, ref::kFp16).ok());
}

TEST_CASE("Compare.BoundWithoutAValueLeavesOnlyTheKind") {
  CHECK(one(5, 1, kNan).ok());
  CHECK(one(5, 1, kInfinity).ok());
  CHECK_FALSE(one(kNan, 1, kNan).ok());
}

TEST_CASE("Compare.ReportNamesCountsWorstElementAndSlice") {
  const std::vector<ref::Dim> dims{{"batch", 2}, {"num_q_heads", 16}, {"value_dim", 512}};
  const ref::Tensor want(dims, -0.5);
  const ref::Tensor bound(dims, 0.0);
  std::vector<std::uint32_t> got(static_cast<std::size_t>(want.count()), ref::encode(ref::kBf16, -0.5));
  for (std::int64_t d : {96, 97, 98}) got[static_cast<std::size_t>(want.flat({1, 7, d}))] = 0xBEEB;
  got[static_cast<std::size_t>(want.flat({1, 7, 97}))] = 0xBEEA;
  const auto c = ref::compare("out", ref::kBf16, got, want, bound, "reference/README.md \"decode bound\"");
  CHECK(c.text() ==
        "  out[batch 2, num_q_heads 16, value_dim 512]: 3 of 16384 outside tolerance, NaN 0, Inf 0\n"
        "  worst  out[1, 7, 97]  got -0.457031 (0xBEEA)  want -0.5  11.0 ulp, allowed 0.5 (bound: reference/README.md "
        "\"decode bound\")\n"
        "  where  all in batch 1, num_q_heads 7, value_dim 96..98\n");
  CHECK(c.max_abs == 0.04296875);
}

TEST_CASE("CompareBits.SeesSignedZeroAndNanPayloads") {
  const std::vector<std::uint32_t> a{0x0000, 0x7FFF, 0x3F80};
  const std::vector<std::uint32_t> b{0x8000, 0x7FC0, 0x3F80};
  const auto c = ref::compare_bits("out", ref::kBf16, a, b, {{"d", 3}});
  CHECK(c.outside == 2);
  CHECK(c.worst == 0);
  CHECK(ref::compare_bits("out", ref::kBf16, a, a, {{"d", 3}}).ok());
}
