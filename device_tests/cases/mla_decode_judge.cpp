// See mla_decode_judge.h.
#include "cases/mla_decode_judge.h"

#include <offgrid/reference/compare.h>

#include "cases/judge.h"

namespace offgrid::cases {

using kernels::DecodePath;

namespace {

constexpr const char* kBoundSource = "reference/README.md \"decode bound\"";

}  // namespace

reference::MlaDecodeBound bound_of(const MlaDecodeCase& c, const MlaDecodeInputs& in) {
  const auto arithmetic = kernels::mla_decode_arithmetic(c.variant(), c.heads > c.kv_heads);
  return reference::mla_decode_bound(truth_inputs(c, in).problem(),
                                     {.dot_depth = arithmetic.dot_depth,
                                      .tile_tokens = arithmetic.tile_tokens,
                                      .num_kv_splits = c.num_kv_splits,
                                      .unit = arithmetic.unit,
                                      .probability_roundoff = arithmetic.probability_roundoff});
}

void compare_with_truth(Outcome& outcome, const MlaDecodeCase& c, const MlaDecodeInputs& in,
                        const std::vector<std::uint32_t>& out, const std::vector<std::uint32_t>& lse) {
  const auto truth = reference::mla_decode(truth_inputs(c, in).problem());
  const auto bound = bound_of(c, in);
  take(outcome, reference::compare("out", format_of(c.dtype), out, truth.out, bound.out, kBoundSource));
  take(outcome, reference::compare("lse", format_of(c.lse_dtype), lse, truth.lse, bound.lse, kBoundSource));
}

void compare_with_truth(Outcome& outcome, const MlaDecodeCase& c, const MlaDecodeInputs& in,
                        const MlaDecodeOutputs& got) {
  compare_with_truth(outcome, c, in, gather_out(c, in.layout, got.out), gather_lse(c, in.layout, got.lse));
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

void compare_runs(Outcome& outcome, const std::string& what, const MlaDecodeCase& c, const MlaDecodeLayout& l,
                  const MlaDecodeOutputs& got, const MlaDecodeOutputs& want) {
  const auto out = reference::compare_bits(
      "out, " + what, format_of(c.dtype), with_one_nan(format_of(c.dtype), gather_out(c, l, got.out)),
      with_one_nan(format_of(c.dtype), gather_out(c, l, want.out)),
      {{"batch", c.batch()}, {"num_q_heads", c.heads}, {"value_dim", c.value_dim}});
  const auto lse = reference::compare_bits("lse, " + what, format_of(c.lse_dtype),
                                           with_one_nan(format_of(c.lse_dtype), gather_lse(c, l, got.lse)),
                                           with_one_nan(format_of(c.lse_dtype), gather_lse(c, l, want.lse)),
                                           {{"batch", c.batch()}, {"num_q_heads", c.heads}});
  if (!out.ok()) outcome.fail(out.text());
  if (!lse.ok()) outcome.fail(lse.text());
}

}  // namespace offgrid::cases
