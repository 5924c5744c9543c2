// See mla_decode_run.h.
#include "cases/mla_decode_run.h"

#include <offgrid/reference/compare.h>

#include <exception>
#include <string>

#include "cases/judge.h"
#include "cases/launch_count.h"
#include "cases/mla_decode_device.h"

namespace offgrid::cases {
namespace {

using kernels::DecodePath;

constexpr const char* kBoundSource = "reference/README.md \"decode bound\"";

void compare_with_truth(Outcome& outcome, const MlaDecodeCase& c, const MlaDecodeInputs& in,
                        const MlaDecodeOutputs& got) {
  const MlaDecodeTruthInputs truth_in = truth_inputs(c, in);
  const auto truth = reference::mla_decode(truth_in.problem());
  const auto arithmetic = kernels::mla_decode_arithmetic(c.variant(), c.heads > c.kv_heads);
  const auto bound =
      reference::mla_decode_bound(truth_in.problem(), {.dot_depth = arithmetic.dot_depth,
                                                       .tile_tokens = arithmetic.tile_tokens,
                                                       .num_kv_splits = c.num_kv_splits,
                                                       .unit = arithmetic.unit,
                                                       .probability_roundoff = arithmetic.probability_roundoff});
  take(outcome, reference::compare("out", format_of(c.dtype), gather_out(c, in.layout, got.out), truth.out, bound.out,
                                   kBoundSource));
  take(outcome, reference::compare("lse", format_of(c.lse_dtype), gather_lse(c, in.layout, got.lse), truth.lse,
                                   bound.lse, kBoundSource));
}

void check_extent(Outcome& outcome, const MlaDecodeCase& c, const MlaDecodeLayout& l, const MlaDecodeOutputs& got,
                  DecodePath path) {
  std::vector<bool> out(got.out.size());
  std::vector<bool> lse(got.lse.size());
  std::vector<bool> scratch(got.scratch.size());
  for (std::int64_t b = 0; b < c.batch(); ++b) {
    const int kv_len = c.kv_lens[static_cast<std::size_t>(b)];
    for (std::int64_t h = 0; h < c.heads; ++h) {
      lse[static_cast<std::size_t>(b * l.lse_batch + h)] = true;
      for (std::int64_t d = 0; d < c.value_dim; ++d) {
        out[static_cast<std::size_t>(b * l.out_batch + h * l.out_head + d)] = true;
      }
      for (int i = 0; i < c.num_kv_splits && kv_len > 0 && path == DecodePath::kTwoStage; ++i) {
        if (reference::split_tokens(kv_len, c.num_kv_splits, i).empty()) continue;
        const std::int64_t at = b * l.scratch_batch + h * l.scratch_head + i * l.scratch_split;
        for (std::int64_t d = 0; d <= c.value_dim; ++d) scratch[static_cast<std::size_t>(at + d)] = true;
      }
    }
  }
  constexpr std::uint32_t kPoison32 = 0xFFFFFFFF;
  check_written(outcome, "out", got.out, poison_code(c.dtype), out);
  check_written(outcome, "lse", got.lse, c.lse_dtype == kernels::DataType::kFp32 ? kPoison32 : poison_code(c.lse_dtype),
                lse);
  check_written(outcome, "scratch", got.scratch, kPoison32, scratch);
}

// Two runs of the same inputs that must agree in bits.
void compare_runs(Outcome& outcome, const char* what, const MlaDecodeCase& c, const MlaDecodeLayout& l,
                  const MlaDecodeOutputs& got, const MlaDecodeOutputs& want) {
  const auto out = reference::compare_bits(
      std::string("out, ") + what, format_of(c.dtype), with_one_nan(format_of(c.dtype), gather_out(c, l, got.out)),
      with_one_nan(format_of(c.dtype), gather_out(c, l, want.out)),
      {{"batch", c.batch()}, {"num_q_heads", c.heads}, {"value_dim", c.value_dim}});
  const auto lse = reference::compare_bits(std::string("lse, ") + what, format_of(c.lse_dtype),
                                           with_one_nan(format_of(c.lse_dtype), gather_lse(c, l, got.lse)),
                                           with_one_nan(format_of(c.lse_dtype), gather_lse(c, l, want.lse)),
                                           {{"batch", c.batch()}, {"num_q_heads", c.heads}});
  if (!out.ok()) outcome.fail(out.text());
  if (!lse.ok()) outcome.fail(lse.text());
}

// The same tokens in pages of one token must give the same bits.
void compare_with_pages_of_one(Outcome& outcome, const MlaDecodeCase& c, const MlaDecodeInputs& in,
                               const MlaDecodeOutputs& got) {
  MlaDecodeCase small = c;
  small.page_size = 1;
  MlaDecodeDevice device(small, in_pages_of_one(c, in));
  compare_runs(outcome, "against pages of one token", c, in.layout, got, device.run(c.plan().path));
}

void check_launches(Outcome& outcome, std::optional<std::size_t> launches, std::size_t expected) {
  if (launches && *launches != expected) {
    outcome.fail("  launches: " + std::to_string(*launches) + ", expected " + std::to_string(expected) + "\n");
  }
}

}  // namespace

Outcome run_mla_decode(const MlaDecodeCase& c) {
  Outcome outcome;
  if (const std::string why = kernels::mla_decode_obstacle(c.variant()); !why.empty()) {
    outcome.status = Status::kSkipped;
    outcome.text = "  " + why + "\n";
    return outcome;
  }
  const MlaDecodeInputs in = make_inputs(c);
  MlaDecodeDevice device(c, in);
  const DecodePath path = c.plan().path;
  MlaDecodeOutputs got;
  const auto launches = count_launches([&] { got = device.run(path); });
  check_launches(outcome, launches, c.batch() == 0 ? 0 : path == DecodePath::kDirect ? 1 : 2);
  compare_with_truth(outcome, c, in, got);
  check_extent(outcome, c, in.layout, got, path);
  if (path == DecodePath::kDirect) {
    const MlaDecodeOutputs two_stage = device.run(DecodePath::kTwoStage);
    check_extent(outcome, c, in.layout, two_stage, DecodePath::kTwoStage);
    compare_runs(outcome, "direct against two stages", c, in.layout, got, two_stage);
  }
  if (c.inner == kernels::InnerPath::kTensorCore && c.heads > 16) {
    device.plan().cluster_heads = 16;
    const MlaDecodeOutputs narrow = device.run(path);
    device.plan().cluster_heads = 32;
    compare_runs(outcome, "32 against 16 heads a block", c, in.layout, device.run(path), narrow);
  }
  if (c.pages == Pages::kRepeated && c.page_size > 1) compare_with_pages_of_one(outcome, c, in, got);
  return outcome;
}

std::vector<Case> mla_decode_cases() {
  std::vector<Case> cases;
  for (const MlaDecodeCase& c : mla_decode_table()) {
    cases.push_back({c.name(), [c] { return run_mla_decode(c); }, c.in_demo, c.is_long});
  }
  return cases;
}

}  // namespace offgrid::cases
