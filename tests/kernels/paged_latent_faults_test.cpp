// Twelve faults that attention kernels over paged caches have had without a test noticing (functional
// specification, 8.4): what each naive form does, and that ours does not. Ours run inside the cases too; here the fault
// itself is shown.
#include <offgrid/emu/finding_collector.h>
#include <offgrid/kernels/paged_cache_writer.h>
#include <offgrid/kernels/paged_decode.h>
#include <offgrid/kernels/paged_prefill.h>
#include <offgrid/portable/device_buffer.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <stdexcept>
#include <vector>

#include "cases/paged_decode_run.h"
#include "cases/paged_judge.h"
#include "catch.h"
#include "kernels/paged_naive_kernels.h"

namespace gpu = offgrid::gpu;
namespace k = offgrid::kernels;
namespace naive = offgrid::naive;
using namespace offgrid::cases;
using offgrid::emu::FindingCollector;
using offgrid::emu::FindingId;

namespace {

template <class T>
gpu::DeviceBuffer<T> on_device(const std::vector<T>& values) {
  return {{"values", "", {}}, std::span<const T>(values)};
}

template <class T, class Call>
std::vector<T> results(std::size_t count, const Call& call) {
  gpu::DeviceBuffer<T> out({"out", "", {}}, count);
  call(out.data());
  return out.download();
}

PagedOutputs decode(const PagedCase& c, PagedDevice& device) {
  device.poison();
  k::paged_decode(paged_decode_variant(c), device.params());
  gpu::synchronize();
  return device.outputs();
}

}  // namespace

TEST_CASE("LatentFault.BlockMaximumThatLooksAtFourWarps") {
  std::vector<float> x(256, 1.0f);
  x[200] = 9.0f;
  const auto device = on_device(x);
  const auto maxima = results<float>(2, [&](float* out) { naive::block_maximum(device.data(), out); });
  CHECK(maxima == std::vector<float>{1.0f, 9.0f});
}

TEST_CASE("LatentFault.ScalesOfNeighbouringSlotsOverlap") {
  constexpr int kHeadDim = 128, kPageSize = 16;
  const auto bytes_of = [](auto offset) {
    std::set<std::int64_t> bytes;
    for (int slot = 0; slot < kPageSize; ++slot) {
      for (int j = 0; j < 4; ++j) bytes.insert(offset(slot, j));
    }
    return bytes.size();
  };
  CHECK(bytes_of([](int slot, int j) { return kHeadDim * kPageSize + slot + j; }) == kPageSize + 3);
  const auto layout = k::trailing_scale_layout(2 * (kHeadDim + 4) * kPageSize, kHeadDim, kPageSize);
  CHECK(bytes_of([&](int slot, int j) { return kHeadDim * kPageSize + 4 * slot * layout.slot_stride + j; }) ==
        4 * kPageSize);
  // All of them inside the head's own rows.
  CHECK(layout.head_stride * 4 == (kHeadDim + 4) * kPageSize);
}

// Scales by logical position hold for one request: the second one would read the scales of the first.
TEST_CASE("LatentFault.ScalesByLogicalPosition") {
  const PagedCase c{.kv_type = k::PagedKvType::kInt8, .requests = {{1, 40}, {1, 40}}, .num_kv_splits = 1};
  const PagedInputs in = make_paged_inputs(c);
  const auto scale_of = [&](std::int64_t slot) {
    float scale;
    const auto at = in.memory.scale_at(0, slot / c.page_size, 0, static_cast<int>(slot % c.page_size));
    std::memcpy(&scale, in.cache.data() + at, sizeof scale);
    return scale;
  };
  int differ = 0;
  for (std::size_t n = 0; n < 40; ++n) differ += scale_of(in.slots[n]) != scale_of(in.slots[40 + n]) ? 1 : 0;
  CHECK(differ > 30);  // no table by position serves both
  CHECK(run_paged_decode({c}).text.empty());
}

TEST_CASE("LatentFault.NanCodesOfE4m3AreNumbers") {
  for (const unsigned char code : {0x7F, 0xFF}) {
    const auto device = on_device(std::vector<unsigned char>{code});
    const auto values = results<float>(2, [&](float* out) { naive::e4m3_value(device.data(), out); });
    CHECK(std::abs(values[0]) == 480.0f);
    CHECK(std::isnan(values[1]));
  }
  const auto device = on_device(std::vector<unsigned char>{0x7E});
  CHECK(results<float>(2, [&](float* out) { naive::e4m3_value(device.data(), out); }) ==
        std::vector<float>{448.0f, 448.0f});
}

// head_dim 256, 4 KV heads, pages of 784. The case sparse(...) reads such pages.
TEST_CASE("LatentFault.PageOffsetsIn32Bits") {
  const auto offsets = [](std::int32_t page, std::int64_t stride) {
    const auto device = on_device(std::vector<std::int32_t>{page});
    return results<std::int64_t>(2, [&](std::int64_t* out) { naive::page_offset(device.data(), stride, out); });
  };
  CHECK(offsets(2674, 802'816)[0] == offsets(2674, 802'816)[1]);
  CHECK(offsets(2675, 802'816)[0] < 0);
  CHECK(offsets(2675, 802'816)[1] == 2675 * std::int64_t{802'816});
  CHECK(offsets(1338, 1'605'632)[0] < 0);
  CHECK(offsets(1338, 1'605'632)[1] == 1338 * std::int64_t{1'605'632});
}

TEST_CASE("LatentFault.RowsBehindTheLastRequestAreCombined") {
  const PagedCase c{.kernel = "prefill", .requests = {{20, 40}}, .padding = 3, .num_kv_splits = 2};
  const PagedInputs in = make_paged_inputs(c);
  PagedDevice device(c, in);
  k::PagedPrefillOptions options;
  options.force_kernel = k::PagedPrefillKernel::kSplitKv;
  options.force_num_kv_splits = 2;
  const auto plan = k::plan_paged_prefill({1, c.num_tokens(), 40, c.heads, c.kv_heads, c.head_dim}, options);
  const auto padding_is_untouched = [&] {
    const auto codes = gather_out(c, in, device.outputs().out);
    return std::all_of(codes.begin() + 20 * c.heads * c.head_dim, codes.end(), [](auto x) { return x == 0xFFFF; });
  };
  device.poison();
  k::paged_prefill(c.kv_type, c.head_dim, device.params(), plan);
  gpu::synchronize();
  CHECK(padding_is_untouched());
  const FindingCollector findings;
  naive::combine_every_row(device.params(), c.head_dim);
  // 0xFF bytes are NaNs, and what comes of them is one as well, if of another code.
  CHECK(!padding_is_untouched());
}

TEST_CASE("LatentFault.VectorLoadsFromAnOddBase") {
  const PagedCase c{.requests = {{1, 40}}, .num_kv_splits = 1, .odd_base = true};
  const PagedInputs in = make_paged_inputs(c);
  PagedDevice device(c, in);
  {
    const FindingCollector findings;
    naive::decode_with_vector_loads(device.params());  // told, and then carried out
    INFO(findings.text());
    CHECK(findings.count(FindingId::kMisaligned) > 0);
  }
  PagedDevice fresh(c, in);
  const FindingCollector findings;
  decode(c, fresh);
  INFO(findings.text());
  CHECK(findings.empty());
}

TEST_CASE("LatentFault.PairsOfDimensionsThatAreNoNeighbours") {
  const PagedCase c{.heads = 1, .requests = {{1, 1}}, .num_kv_splits = 1, .key_pack = 1};
  const PagedInputs in = make_paged_inputs(c);
  PagedDevice device(c, in);
  const FindingCollector findings;
  const auto scores = results<float>(2, [&](float* out) { naive::score_of_first_key(device.params(), out); });
  double truth = 0;
  for (std::int64_t d = 0; d < 128; ++d) truth += in.q_values.at({0, 0, d}) * in.keys.at({0, 0, d});
  CHECK(!(std::abs(static_cast<double>(scores[0]) - truth) < 1e-3));  // unused slots are NaN
  CHECK(std::abs(static_cast<double>(scores[1]) - truth) < 1e-3);
}

TEST_CASE("LatentFault.DivisionByTheSumOfNothing") {
  const auto acc = on_device(std::vector<float>(4, 0.0f));
  const auto sum = on_device(std::vector<float>{0.0f});
  {
    const FindingCollector findings;
    const auto out = results<float>(4, [&](float* o) { naive::divide_by_sum(acc.data(), sum.data(), o, 4); });
    CHECK(std::isnan(out[0]));
    CHECK(findings.count(FindingId::kNanCreated) > 0);
  }
  const PagedCase c{.requests = {{4, 2}, {2, 0}}};  // more new tokens than keys
  const FindingCollector findings;
  CHECK(run_paged_decode({c}).text.empty());
  INFO(findings.text());
  CHECK(findings.empty());
}

// A result that lives in a buffer of the operation is gone after the next call. Ours writes where the caller says.
TEST_CASE("LatentFault.ResultsAreOverwrittenByTheNextCall") {
  for (const auto kv_type : {k::PagedKvType::kFp16, k::PagedKvType::kE4m3, k::PagedKvType::kInt8}) {
    const PagedCase c{.kv_type = kv_type, .requests = {{1, 40}}, .num_kv_splits = 2};
    PagedCase d = c;
    d.seed = 2;
    PagedDevice device(c, make_paged_inputs(c)), other(d, make_paged_inputs(d));
    const PagedOutputs first = decode(c, device);
    decode(d, other);
    CHECK(device.outputs().out == first.out);
    other.params().out = device.params().out;  // the naive form: one buffer for all calls
    decode(d, other);
    CHECK(device.outputs().out != first.out);
  }
}

// Six of eight slots were written. A 16-byte read takes all eight; using what nobody wrote is the fault, weight 0 or
// not.
TEST_CASE("LatentFault.UnwrittenSlotsAreWeighedWithZero") {
  gpu::DeviceBuffer<std::uint16_t> column({"value_cache", "fp16", {{"slots", 8}}}, 8);
  const std::vector<std::uint16_t> six(6, 0x3C00);
  gpu::copy_to_device(column.data(), six.data(), 12);
  const auto weights = on_device(std::vector<float>{1, 1, 1, 1, 1, 1, 0, 0});
  const auto sum_of = [&](bool guarded) {
    return results<float>(1,
                          [&](float* out) { naive::weigh_slots(column.data(), weights.data(), out, 6, guarded); })[0];
  };
  {
    const FindingCollector findings;
    CHECK(sum_of(true) == 6.0f);
    INFO(findings.text());
    CHECK(findings.empty());
  }
  const FindingCollector findings;
  sum_of(false);
  CHECK(findings.count(FindingId::kUninitialised) > 0);
}

TEST_CASE("LatentFault.FewerRowsThanTokens") {
  const PagedCase c{.requests = {{1, 40}, {1, 30}}, .with_starts = false};
  PagedDevice device(c, make_paged_inputs(c));
  const std::vector<std::int32_t> one_row = {40};
  const auto kv_lens = on_device(one_row);
  device.params().kv_lens = kv_lens.data();
  device.params().num_requests = 1;
  CHECK_THROWS_AS(k::paged_decode(paged_decode_variant(c), device.params()), std::invalid_argument);
  device.params().num_requests = 2;  // the naive form: nobody looks
  const FindingCollector findings;
  CHECK_THROWS(k::paged_decode(paged_decode_variant(c), device.params()));
  CHECK(findings.count(FindingId::kOutOfBounds) > 0);
}
