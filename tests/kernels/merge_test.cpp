// The laws of merges that hold bit for bit, the conversions to e4m3, and the lengths of DCP's ranks.
#include <offgrid/kernels/dcp.h>
#include <offgrid/kernels/merge.h>
#include <offgrid/portable/device_buffer.h>
#include <offgrid/reference/attention.h>
#include <offgrid/reference/float_format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "catch.h"

namespace gpu = offgrid::gpu;
namespace k = offgrid::kernels;
namespace ref = offgrid::reference;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr k::MergeVariant kFp32{k::DataType::kFp32, k::DataType::kFp32, k::DataType::kFp32};

struct State {
  std::vector<float> out;
  float lse;
};

gpu::DeviceBuffer<float> on_device(const char* name, const std::vector<float>& values) {
  return {{name, "fp32", {}}, std::span<const float>(values)};
}

State merge(const std::vector<State>& states, k::LseBase base = k::LseBase::kE) {
  std::vector<float> outs, lses;
  const std::size_t width = states.empty() ? 4 : states[0].out.size();
  for (const State& s : states) {
    outs.insert(outs.end(), s.out.begin(), s.out.end());
    lses.push_back(s.lse);
  }
  auto in = on_device("states", outs);
  auto in_lse = on_device("state_lse", lses);
  gpu::DeviceBuffer<float> out({"out", "fp32", {}}, width);
  gpu::DeviceBuffer<float> lse({"lse", "fp32", {}}, 1);
  k::merge_states(kFp32, {.states = in.data(),
                          .state_lse = in_lse.data(),
                          .out = out.data(),
                          .lse = lse.data(),
                          .state_stride = static_cast<std::int64_t>(width),
                          .state_lse_stride = 1,
                          .num_states = static_cast<std::int32_t>(states.size()),
                          .rows = 1,
                          .heads = 1,
                          .head_dim = static_cast<std::int32_t>(width),
                          .base = base});
  gpu::synchronize();
  return {out.download(), lse.download()[0]};
}

void check_same_bits(const State& a, const State& b) {
  REQUIRE(a.out.size() == b.out.size());
  for (std::size_t i = 0; i < a.out.size(); ++i) {
    CHECK(std::bit_cast<std::uint32_t>(a.out[i]) == std::bit_cast<std::uint32_t>(b.out[i]));
  }
  CHECK(std::bit_cast<std::uint32_t>(a.lse) == std::bit_cast<std::uint32_t>(b.lse));
}

const State kA{{1.25f, -0.3f, -0.0f, 1e-30f}, 2.7f};
const State kB{{-4.5f, 0.1f, 3.0f, 0.7f}, 1.9f};
const State kEmpty{{kNan, kNan, kNan, kNan}, -kInfinity};
const State kNothing{{0, 0, 0, 0}, -kInfinity};

// What fp32 values become as e4m3, by the path that copies a suffix.
std::vector<std::uint8_t> to_e4m3(const std::vector<float>& values) {
  auto in = on_device("suffix", values);
  auto lse = on_device("suffix_lse", std::vector<float>(values.size()));
  gpu::DeviceBuffer<std::uint8_t> out({"out", "e4m3", {}}, values.size());
  k::merge_attn_states({k::DataType::kFp32, k::DataType::kFp32, k::DataType::kE4m3},
                       {.suffix = in.data(),
                        .suffix_lse = lse.data(),
                        .out = out.data(),
                        .suffix_token_stride = 1,
                        .out_token_stride = 1,
                        .tokens = static_cast<std::int32_t>(values.size()),
                        .heads = 1,
                        .head_dim = 1,
                        .prefix_tokens = 0});
  gpu::synchronize();
  return out.download();
}

}  // namespace

TEST_CASE("MergeStates.OneStateGivesItself") {
  check_same_bits(merge({kA}), kA);
  check_same_bits(merge({kB}, k::LseBase::k2), kB);
}

TEST_CASE("MergeStates.EmptyStatesAreNeutralBitForBit") {
  check_same_bits(merge({kA, kEmpty}), kA);
  check_same_bits(merge({kEmpty, kA}), kA);
  check_same_bits(merge({kEmpty, kA, kEmpty, kB, kEmpty}), merge({kA, kB}));
  check_same_bits(merge({kEmpty, kEmpty}), kNothing);
  check_same_bits(merge({}), kNothing);
}

TEST_CASE("MergeStates.InfiniteAndNanLseCountAsEmpty") {
  check_same_bits(merge({kA, {kB.out, kInfinity}}), kA);
  check_same_bits(merge({{kB.out, kNan}, kA}), kA);
}

TEST_CASE("MergeStates.TwoStatesCommuteBitForBit") { check_same_bits(merge({kA, kB}), merge({kB, kA})); }

TEST_CASE("MergeStates.AssociatesWithinRounding") {
  const State c{{0.5f, 0.25f, -2.0f, 8.0f}, 2.2f};
  const State left = merge({merge({kA, kB}), c});
  const State right = merge({kA, merge({kB, c})});
  const State flat = merge({kA, kB, c});
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::abs(left.out[i] - right.out[i]) < 1e-5f);
    CHECK(std::abs(left.out[i] - flat.out[i]) < 1e-5f);
  }
  CHECK(std::abs(left.lse - right.lse) < 1e-5f);
}

TEST_CASE("MergeStates.ShiftOfEveryLseShiftsOnlyTheLse") {
  // lse that are multiples of 1/4, so that the shift is exact and the differences stay the same.
  const State shifted = merge({{kA.out, 2.75f + 64}, {kB.out, 1.5f + 64}});
  const State plain = merge({{kA.out, 2.75f}, {kB.out, 1.5f}});
  for (std::size_t i = 0; i < 4; ++i) CHECK(shifted.out[i] == plain.out[i]);
  CHECK(std::abs(shifted.lse - plain.lse - 64) < 1e-5f);
}

TEST_CASE("MergeStates.BaseTwoIsAnotherUnitOfLse") {
  const State two = merge({{kA.out, 3.0f}, {kB.out, 1.0f}}, k::LseBase::k2);
  CHECK(std::abs(two.lse - std::log2(8.0f + 2.0f)) < 1e-6f);
  CHECK(std::abs(two.out[0] - (0.8f * kA.out[0] + 0.2f * kB.out[0])) < 1e-6f);
}

TEST_CASE("Merge.RefusesWhatIsNotBuilt") {
  CHECK_THROWS_AS(k::merge_states({k::DataType::kBf16, k::DataType::kFp16, k::DataType::kBf16}, {}),
                  std::invalid_argument);
  CHECK_THROWS_AS(k::merge_states({k::DataType::kBf16, k::DataType::kFp32, k::DataType::kE4m3}, {}),
                  std::invalid_argument);
  CHECK_THROWS_AS(k::merge_attn_states({k::DataType::kBf16, k::DataType::kBf16, k::DataType::kBf16}, {}),
                  std::invalid_argument);
  CHECK_THROWS_AS(k::merge_states(kFp32, {.rows = -1}), std::invalid_argument);
  CHECK_THROWS_AS(k::dcp_correct(kFp32, {.ranks = 2, .rank = 2}), std::invalid_argument);
  CHECK_THROWS_AS(k::dcp_local_kv_lens(nullptr, nullptr, 1, 1, 0, 1, 0), std::invalid_argument);
  for (const auto& variant : k::merge_variants()) CHECK(variant.dtype != k::DataType::kE4m3);
}

TEST_CASE("ToE4m3.RoundsToNearestEvenAndSaturates") {
  // Every code, the midpoints between neighbours, and the fp32 numbers beside both.
  std::vector<float> values = {kInfinity, -kInfinity, 1e30f, -464.0f, 463.9f, 1e-30f, -1e-45f};
  for (std::uint32_t code = 0; code < 0x7f; ++code) {
    const auto low = static_cast<float>(ref::decode(ref::kE4m3, code));
    const auto high = code == 0x7e ? 480.0f : static_cast<float>(ref::decode(ref::kE4m3, code + 1));
    for (const float x : {low, (low + high) / 2}) {
      for (const float near : {x, std::nextafter(x, kInfinity), std::nextafter(x, -kInfinity)}) {
        values.push_back(near);
        values.push_back(-near);
      }
    }
  }
  const auto codes = to_e4m3(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    CAPTURE(values[i]);
    CHECK(int{codes[i]} ==
          static_cast<int>(ref::encode(ref::kE4m3, static_cast<double>(values[i]), ref::Overflow::kSaturate)));
  }
}

TEST_CASE("DcpLocalKvLen.IsWhatCountingGives") {
  for (const int ranks : {1, 2, 3, 6, 8}) {
    for (const int interleave : {1, 2, 7, 16, 64}) {
      for (int kv_len = -3; kv_len < 300; ++kv_len) {
        const auto counted = ref::dcp_tokens(kv_len, ranks, interleave);
        int total = 0;
        for (int rank = 0; rank < ranks; ++rank) {
          const int local = k::dcp_local_kv_len(kv_len, rank, ranks, interleave);
          REQUIRE(local == counted[static_cast<std::size_t>(rank)]);
          total += local;
        }
        REQUIRE(total == std::max(kv_len, 0));
      }
    }
  }
  CHECK(k::dcp_local_kv_len(2147483647, 7, 8, 1 << 30) == 0);
  CHECK(k::dcp_local_kv_len(2147483647, 1, 8, 1 << 30) == (1 << 30) - 1);
}

TEST_CASE("DcpLocalKvLen.OnTheDeviceForBothIntegers") {
  const std::vector<std::int32_t> lens = {100, 0, -2, 7};
  gpu::DeviceBuffer<std::int32_t> global({"kv_lens", "int32", {}}, std::span<const std::int32_t>(lens));
  gpu::DeviceBuffer<std::int32_t> local({"local", "int32", {}}, lens.size());
  k::dcp_local_kv_lens(global.data(), local.data(), 4, 1, 1, 2, 16);
  CHECK(local.download() == std::vector<std::int32_t>{48, 0, 0, 0});
  const std::vector<std::int32_t> wide = {100, 0, -2, -1};
  gpu::DeviceBuffer<std::int32_t> wide_global({"kv_lens", "int32", {}}, std::span<const std::int32_t>(wide));
  gpu::DeviceBuffer<std::int32_t> wide_local({"local", "int32", {}}, wide.size());
  k::dcp_local_kv_lens(wide_global.data(), wide_local.data(), 2, 2, 0, 2, 16);
  CHECK(wide_local.download() == std::vector<std::int32_t>{52, 0, 0, 0});
}
