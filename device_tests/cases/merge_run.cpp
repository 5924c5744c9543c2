// Runs merge cases and judges them. See merge_case.h.
#include <offgrid/portable/gpu.h>
#include <offgrid/reference/attention.h>
#include <offgrid/reference/compare.h>
#include <offgrid/reference/tensor.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "cases/element_buffer.h"
#include "cases/judge.h"
#include "cases/merge_inputs.h"
#include "cases/mla_decode_inputs.h"

namespace offgrid::cases {
namespace {

using reference::Tensor;

constexpr const char* kBoundSource = "reference/README.md \"decode bound\", step 5";

std::uint32_t poison_word(kernels::DataType type) {
  return type == kernels::DataType::kFp32 ? 0xFFFFFFFF : poison_code(type);
}

// One device tensor of results, and what it left behind.
struct ResultTensor {
  kernels::DataType type;
  RowLayout layout;
  std::int64_t width;
  ElementBuffer buffer;

  ResultTensor(const char* name, kernels::DataType element, const RowLayout& where, std::int64_t elements)
      : type(element), layout(where), width(elements), buffer(name, element, {}, where.count) {}

  // The logical elements, after a look at all others.
  std::vector<std::uint32_t> take_codes(Outcome& outcome, const char* name, const MergeCase& c) const {
    const auto memory = buffer.codes();
    std::vector<bool> is_result(memory.size());
    std::vector<std::uint32_t> logical;
    for (int row = 0; row < c.rows; ++row) {
      for (int head = 0; head < c.heads; ++head) {
        for (std::int64_t d = 0; d < width; ++d) {
          const auto at = static_cast<std::size_t>(layout.at(row, head) + d);
          is_result[at] = true;
          logical.push_back(memory[at]);
        }
      }
    }
    check_written(outcome, name, memory, poison_word(type), is_result);
    return logical;
  }
};

struct Truth {
  Tensor out, out_bound, lse, lse_bound;
};

reference::StateBound exact_bound(const MergeCase& c) { return {reference::Vector::Zero(c.head_dim), 0}; }

// Rows without a prefix are their suffix. Scaled outputs are divided by the scale, with two more roundings, and
// clamped.
Truth truth_of(const MergeCase& c, const std::vector<StateMemory>& memory) {
  Truth t{Tensor({{"rows", c.rows}, {"heads", c.heads}, {"head_dim", c.head_dim}}),
          Tensor({{"rows", c.rows}, {"heads", c.heads}, {"head_dim", c.head_dim}}),
          Tensor({{"rows", c.rows}, {"heads", c.heads}}), Tensor({{"rows", c.rows}, {"heads", c.heads}})};
  const double base = c.base == kernels::LseBase::k2 ? std::numbers::ln2 : 1;
  const double scale = c.out_scale > 0 ? static_cast<double>(c.out_scale) : 1;
  const bool to_e4m3 = c.variant.out_dtype == kernels::DataType::kE4m3;
  for (int row = 0; row < c.rows; ++row) {
    for (int head = 0; head < c.heads; ++head) {
      std::vector<reference::State> states;
      for (const StateMemory& m : memory) states.push_back(state_of(c, m, row, head));
      const bool is_copy = c.op == MergeOp::kPair && c.prefix_tokens >= 0 && row >= c.prefix_tokens;
      if (states.empty()) states.push_back(reference::empty_state(c.head_dim));
      const reference::State merged = is_copy ? states.back() : reference::merge(states);
      const reference::StateBound bound = is_copy ? exact_bound(c) : reference::merge_bound(states);
      for (int d = 0; d < c.head_dim; ++d) {
        double value = merged.out[d] / scale;
        double allowed = bound.out[d] / scale;
        if (to_e4m3) allowed += 2 * 0x1p-24 * std::abs(value);
        if (to_e4m3 && std::abs(value) > 448) value = std::copysign(448, value);
        t.out.at({row, head, d}) = value;
        t.out_bound.at({row, head, d}) = allowed;
      }
      t.lse.at({row, head}) = merged.lse / base;
      t.lse_bound.at({row, head}) = bound.lse / base;
    }
  }
  return t;
}

void compare_result(Outcome& outcome, const MergeCase& c, const Truth& truth, const std::vector<std::uint32_t>& out,
                    const std::vector<std::uint32_t>& lse) {
  take(outcome,
       reference::compare("out", format_of(c.variant.out_dtype), out, truth.out, truth.out_bound, kBoundSource));
  take(outcome,
       reference::compare("lse", format_of(c.variant.lse_dtype), lse, truth.lse, truth.lse_bound, kBoundSource));
}

ElementBuffer concatenated(const char* name, kernels::DataType type, const std::vector<StateMemory>& states,
                           std::vector<std::uint32_t> StateMemory::* part, std::int64_t* stride) {
  std::vector<std::uint32_t> all;
  for (const StateMemory& s : states) all.insert(all.end(), (s.*part).begin(), (s.*part).end());
  *stride = states.empty() ? 0 : static_cast<std::int64_t>((states[0].*part).size());
  return ElementBuffer(name, type, {}, all);
}

Outcome run_states(const MergeCase& c) {
  Outcome outcome;
  const auto memory = make_states(c);
  std::int64_t state_stride = 0, lse_stride = 0;
  ElementBuffer states = concatenated("states", c.variant.dtype, memory, &StateMemory::out, &state_stride);
  ElementBuffer lses = concatenated("state_lse", c.variant.lse_dtype, memory, &StateMemory::lse, &lse_stride);
  ResultTensor out("out", c.variant.out_dtype, row_layout(c.rows, c.heads, c.head_dim, c.inflated ? 9 : 0), c.head_dim);
  ResultTensor lse("lse", c.variant.lse_dtype, row_layout(c.rows, c.heads, 1, c.inflated ? 2 : 0), 1);
  const RowLayout in = memory.empty() ? RowLayout{} : memory[0].out_layout;
  const RowLayout in_lse = memory.empty() ? RowLayout{} : memory[0].lse_layout;
  kernels::merge_states(c.variant, {.states = states.data(),
                                    .state_lse = lses.data(),
                                    .out = out.buffer.data(),
                                    .lse = lse.buffer.data(),
                                    .state_stride = state_stride,
                                    .state_row_stride = in.row,
                                    .state_head_stride = in.head,
                                    .state_lse_stride = lse_stride,
                                    .state_lse_row_stride = in_lse.row,
                                    .state_lse_head_stride = in_lse.head,
                                    .out_row_stride = out.layout.row,
                                    .out_head_stride = out.layout.head,
                                    .lse_row_stride = lse.layout.row,
                                    .lse_head_stride = lse.layout.head,
                                    .num_states = c.states,
                                    .rows = c.rows,
                                    .heads = c.heads,
                                    .head_dim = c.head_dim,
                                    .base = c.base});
  gpu::synchronize();
  const auto out_codes = out.take_codes(outcome, "out", c);
  const auto lse_codes = lse.take_codes(outcome, "lse", c);
  compare_result(outcome, c, truth_of(c, memory), out_codes, lse_codes);
  return outcome;
}

Outcome run_pair(const MergeCase& c) {
  Outcome outcome;
  const auto memory = make_states(c);
  const StateMemory& prefix = memory.at(0);
  const StateMemory& suffix = memory.at(1);
  ElementBuffer prefix_out("prefix", c.variant.dtype, {}, prefix.out);
  ElementBuffer suffix_out("suffix", c.variant.dtype, {}, suffix.out);
  ElementBuffer prefix_lse("prefix_lse", kernels::DataType::kFp32, {}, prefix.lse);
  ElementBuffer suffix_lse("suffix_lse", kernels::DataType::kFp32, {}, suffix.lse);
  gpu::DeviceBuffer<float> scale;
  if (c.out_scale > 0) scale = {{"out_scale", "fp32", {}}, std::span<const float>(&c.out_scale, 1)};
  ResultTensor out("out", c.variant.out_dtype, row_layout(c.rows, c.heads, c.head_dim, c.inflated ? 9 : 0), c.head_dim);
  ResultTensor lse("lse", c.variant.lse_dtype, by_head_layout(c.rows, c.heads, c.inflated ? 2 : 0), 1);
  kernels::merge_attn_states(c.variant, {.prefix = prefix_out.data(),
                                         .prefix_lse = static_cast<const float*>(prefix_lse.data()),
                                         .suffix = suffix_out.data(),
                                         .suffix_lse = static_cast<const float*>(suffix_lse.data()),
                                         .out = out.buffer.data(),
                                         .lse = static_cast<float*>(lse.buffer.data()),
                                         .out_scale = scale.data(),
                                         .prefix_token_stride = prefix.out_layout.row,
                                         .prefix_head_stride = prefix.out_layout.head,
                                         .prefix_lse_head_stride = prefix.lse_layout.head,
                                         .suffix_token_stride = suffix.out_layout.row,
                                         .suffix_head_stride = suffix.out_layout.head,
                                         .suffix_lse_head_stride = suffix.lse_layout.head,
                                         .out_token_stride = out.layout.row,
                                         .out_head_stride = out.layout.head,
                                         .lse_head_stride = lse.layout.head,
                                         .tokens = c.rows,
                                         .heads = c.heads,
                                         .head_dim = c.head_dim,
                                         .prefix_tokens = c.prefix_tokens < 0 ? c.rows : c.prefix_tokens});
  gpu::synchronize();
  const auto out_codes = out.take_codes(outcome, "out", c);
  const auto lse_codes = lse.take_codes(outcome, "lse", c);
  compare_result(outcome, c, truth_of(c, memory), out_codes, lse_codes);
  return outcome;
}

// Every rank corrects its own output; the sum over the ranks is compared, with the rounding of each rank's result.
Outcome run_correct(const MergeCase& c) {
  Outcome outcome;
  const auto memory = make_states(c);
  const auto& format = format_of(c.variant.dtype);
  std::int64_t lse_stride = 0;
  ElementBuffer lses = concatenated("rank_lse", c.variant.lse_dtype, memory, &StateMemory::lse, &lse_stride);
  Truth truth = truth_of(c, memory);
  std::vector<double> sum(static_cast<std::size_t>(truth.out.count()));
  std::vector<std::uint32_t> lse_of_all;
  for (int rank = 0; rank < c.states; ++rank) {
    const StateMemory& own = memory[static_cast<std::size_t>(rank)];
    ElementBuffer rank_out("rank_out", c.variant.dtype, {}, own.out);
    ResultTensor out("corrected", c.variant.dtype, row_layout(c.rows, c.heads, c.head_dim, c.inflated ? 9 : 0),
                     c.head_dim);
    ResultTensor lse("lse", c.variant.lse_dtype, row_layout(c.rows, c.heads, 1, c.inflated ? 2 : 0), 1);
    kernels::dcp_correct(c.variant, {.out = rank_out.data(),
                                     .rank_lse = lses.data(),
                                     .corrected = out.buffer.data(),
                                     .lse = lse.buffer.data(),
                                     .out_row_stride = own.out_layout.row,
                                     .out_head_stride = own.out_layout.head,
                                     .rank_lse_stride = lse_stride,
                                     .rank_lse_row_stride = own.lse_layout.row,
                                     .rank_lse_head_stride = own.lse_layout.head,
                                     .corrected_row_stride = out.layout.row,
                                     .corrected_head_stride = out.layout.head,
                                     .lse_row_stride = lse.layout.row,
                                     .lse_head_stride = lse.layout.head,
                                     .ranks = c.states,
                                     .rank = rank,
                                     .rows = c.rows,
                                     .heads = c.heads,
                                     .head_dim = c.head_dim,
                                     .base = c.base});
    gpu::synchronize();
    const auto codes = out.take_codes(outcome, "corrected", c);
    const auto lse_codes = lse.take_codes(outcome, "lse", c);
    if (rank > 0 && lse_codes != lse_of_all) outcome.fail("  lse: ranks differ\n");
    lse_of_all = lse_codes;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const double value = reference::decode(format, codes[i]);
      sum[i] += value;
      truth.out_bound.values()[i] += std::isfinite(value) ? reference::ulp_size(format, value) / 2 : 0;
    }
  }
  std::vector<std::uint32_t> sum_codes;
  for (const double x : sum) sum_codes.push_back(reference::encode(reference::kFp32, x));
  take(outcome,
       reference::compare("sum of ranks", reference::kFp32, sum_codes, truth.out, truth.out_bound, kBoundSource));
  take(outcome,
       reference::compare("lse", format_of(c.variant.lse_dtype), lse_of_all, truth.lse, truth.lse_bound, kBoundSource));
  return outcome;
}

}  // namespace

Outcome run_merge(const MergeCase& c) {
  switch (c.op) {
    case MergeOp::kStates:
      return run_states(c);
    case MergeOp::kPair:
      return run_pair(c);
    case MergeOp::kCorrect:
      return run_correct(c);
  }
  return {};
}

}  // namespace offgrid::cases
