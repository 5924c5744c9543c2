// See dcp_case.h. What ranks send each other is copied by the host here.
#include "cases/dcp_case.h"

#include <offgrid/kernels/merge.h>
#include <offgrid/reference/attention.h>

#include <cmath>

#include "cases/element_buffer.h"
#include "cases/judge.h"
#include "cases/mla_decode_device.h"

namespace offgrid::cases {
namespace {

using reference::Tensor;

constexpr int kHeads = 12;
constexpr int kWidth = 32;
constexpr kernels::MergeVariant kMerge{kernels::DataType::kBf16, kernels::DataType::kFp32, kernels::DataType::kBf16};
constexpr const char* kBoundSource = "reference/README.md \"decode bound\"";

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

MlaDecodeCase decode_case(const DcpCase& c) {
  MlaDecodeCase one;
  one.head_dim = 40;
  one.value_dim = kWidth;
  one.heads = kHeads;
  one.kv_lens = c.kv_lens;
  one.num_kv_splits = 2;
  return one;
}

// The tokens of one rank, as pages of one token.
MlaDecodeInputs inputs_of_rank(const DcpCase& c, const MlaDecodeInputs& whole, int rank) {
  MlaDecodeInputs in = whole;
  for (std::size_t b = 0; b < c.kv_lens.size(); ++b) {
    const auto row = in.page_table.begin() + static_cast<std::ptrdiff_t>(b) * in.layout.table_batch;
    const auto source = whole.page_table.begin() + static_cast<std::ptrdiff_t>(b) * in.layout.table_batch;
    std::ptrdiff_t next = 0;
    for (int n = 0; n < c.kv_lens[b]; ++n) {
      if (n / c.interleave % c.ranks == rank) row[next++] = source[n];
    }
    in.kv_lens[b] = static_cast<std::int32_t>(next);
    std::fill(row + next, row + in.layout.table_batch, -1);
  }
  return in;
}

// What all ranks computed, and what is true of it.
struct Parts {
  std::vector<std::vector<std::uint32_t>> out, lse;        // [rank]: bf16[batch, heads, width], fp32[batch, heads]
  std::vector<std::vector<reference::State>> states;       // [batch * heads][rank]
  std::vector<std::vector<reference::StateBound>> bounds;  // the same, with the rounding of out to bf16
};

Parts decode_parts(const DcpCase& c, Outcome& outcome, const MlaDecodeInputs& whole) {
  MlaDecodeCase decode = decode_case(c);
  decode.page_size = 1;
  const int batch = decode.batch();
  gpu::DeviceBuffer<std::int32_t> global({"kv_lens", "int32", {}}, std::span<const std::int32_t>(c.kv_lens));
  Parts parts;
  parts.states.resize(index(batch * kHeads));
  parts.bounds.resize(parts.states.size());
  for (int rank = 0; rank < c.ranks; ++rank) {
    const MlaDecodeInputs in = inputs_of_rank(c, whole, rank);
    gpu::DeviceBuffer<std::int32_t> local({"local_kv_lens", "int32", {}}, index(batch));
    kernels::dcp_local_kv_lens(global.data(), local.data(), batch, 1, rank, c.ranks, c.interleave);
    if (local.download() != in.kv_lens) outcome.fail("  local lengths differ from counting\n");

    decode.kv_lens.assign(in.kv_lens.begin(), in.kv_lens.end());
    MlaDecodeDevice device(decode, in);
    device.params().kv_lens = local.data();
    const MlaDecodeOutputs got = device.run(kernels::DecodePath::kTwoStage);
    parts.out.push_back(gather_out(decode, in.layout, got.out));
    parts.lse.push_back(gather_lse(decode, in.layout, got.lse));

    const auto truth_in = truth_inputs(decode, in);
    const auto truth = reference::mla_decode(truth_in.problem());
    const auto arithmetic = kernels::mla_decode_arithmetic(decode.variant());
    const auto bound = reference::mla_decode_bound(truth_in.problem(), {.dot_depth = arithmetic.dot_depth,
                                                                        .tile_tokens = arithmetic.tile_tokens,
                                                                        .num_kv_splits = decode.num_kv_splits});
    for (std::int64_t i = 0; i < batch * kHeads; ++i) {
      reference::State state{reference::Vector(kWidth), truth.lse.values()[index(i)]};
      reference::StateBound allowed{reference::Vector(kWidth), bound.lse.values()[index(i)]};
      for (std::int64_t d = 0; d < kWidth; ++d) {
        state.out[d] = truth.out.values()[index(i * kWidth + d)];
        const double error = bound.out.values()[index(i * kWidth + d)];
        allowed.out[d] = error + reference::ulp_size(reference::kBf16, std::abs(state.out[d]) + error) / 2;
      }
      parts.states[index(i)].push_back(std::move(state));
      parts.bounds[index(i)].push_back(std::move(allowed));
    }
  }
  return parts;
}

// [ranks, batch, heads / ranks] pieces of width elements that one rank receives.
std::vector<std::uint32_t> received(const DcpCase& c, const std::vector<std::vector<std::uint32_t>>& parts, int rank,
                                    std::int64_t width) {
  const std::int64_t heads = kHeads / c.ranks;
  std::vector<std::uint32_t> all;
  for (const auto& part : parts) {
    for (std::size_t b = 0; b < c.kv_lens.size(); ++b) {
      const auto from = part.begin() + (static_cast<std::int64_t>(b) * kHeads + rank * heads) * width;
      all.insert(all.end(), from, from + heads * width);
    }
  }
  return all;
}

struct Result {
  std::vector<std::uint32_t> out, lse;  // fp32 codes: [batch, heads, width], [batch, heads]
};

std::uint32_t as_fp32(std::uint32_t bf16) { return bf16 << 16; }

Result all_to_all(const DcpCase& c, const Parts& parts) {
  const int batch = static_cast<int>(c.kv_lens.size());
  const int heads = kHeads / c.ranks;
  Result result{std::vector<std::uint32_t>(index(batch * kHeads * kWidth)),
                std::vector<std::uint32_t>(index(batch * kHeads))};
  for (int rank = 0; rank < c.ranks; ++rank) {
    ElementBuffer states("states", kernels::DataType::kBf16, {}, received(c, parts.out, rank, kWidth));
    ElementBuffer lses("state_lse", kernels::DataType::kFp32, {}, received(c, parts.lse, rank, 1));
    ElementBuffer out("out", kernels::DataType::kBf16, {}, std::int64_t{batch} * heads * kWidth);
    ElementBuffer lse("lse", kernels::DataType::kFp32, {}, std::int64_t{batch} * heads);
    kernels::merge_states(kMerge, {.states = states.data(),
                                   .state_lse = lses.data(),
                                   .out = out.data(),
                                   .lse = lse.data(),
                                   .state_stride = std::int64_t{batch} * heads * kWidth,
                                   .state_row_stride = heads * kWidth,
                                   .state_head_stride = kWidth,
                                   .state_lse_stride = batch * heads,
                                   .state_lse_row_stride = heads,
                                   .state_lse_head_stride = 1,
                                   .out_row_stride = heads * kWidth,
                                   .out_head_stride = kWidth,
                                   .lse_row_stride = heads,
                                   .lse_head_stride = 1,
                                   .num_states = c.ranks,
                                   .rows = batch,
                                   .heads = heads,
                                   .head_dim = kWidth});
    gpu::synchronize();
    const auto out_codes = out.codes();
    const auto lse_codes = lse.codes();
    for (std::int64_t b = 0; b < batch; ++b) {
      for (std::int64_t h = 0; h < heads; ++h) {
        const std::int64_t to = b * kHeads + rank * heads + h;
        result.lse[index(to)] = lse_codes[index(b * heads + h)];
        for (std::int64_t d = 0; d < kWidth; ++d) {
          result.out[index(to * kWidth + d)] = as_fp32(out_codes[index((b * heads + h) * kWidth + d)]);
        }
      }
    }
  }
  return result;
}

// The sum over the ranks is the host's, in fp64; `rounding` gets what rounding each rank's part to bf16 may have cost.
Result all_gather(const DcpCase& c, const Parts& parts, std::vector<double>& rounding) {
  const int batch = static_cast<int>(c.kv_lens.size());
  std::vector<std::uint32_t> gathered;
  for (const auto& lse : parts.lse) gathered.insert(gathered.end(), lse.begin(), lse.end());
  ElementBuffer lses("rank_lse", kernels::DataType::kFp32, {}, gathered);
  std::vector<double> sum(rounding.size());
  Result result;
  for (int rank = 0; rank < c.ranks; ++rank) {
    ElementBuffer own("out", kernels::DataType::kBf16, {}, parts.out[index(rank)]);
    ElementBuffer lse("lse", kernels::DataType::kFp32, {}, std::int64_t{batch} * kHeads);
    kernels::dcp_correct(kMerge, {.out = own.data(),
                                  .rank_lse = lses.data(),
                                  .corrected = own.data(),
                                  .lse = lse.data(),
                                  .out_row_stride = kHeads * kWidth,
                                  .out_head_stride = kWidth,
                                  .rank_lse_stride = batch * kHeads,
                                  .rank_lse_row_stride = kHeads,
                                  .rank_lse_head_stride = 1,
                                  .corrected_row_stride = kHeads * kWidth,
                                  .corrected_head_stride = kWidth,
                                  .lse_row_stride = kHeads,
                                  .lse_head_stride = 1,
                                  .ranks = c.ranks,
                                  .rank = rank,
                                  .rows = batch,
                                  .heads = kHeads,
                                  .head_dim = kWidth});
    gpu::synchronize();
    result.lse = lse.codes();
    const auto codes = own.codes();
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const double value = reference::decode(reference::kBf16, codes[i]);
      sum[i] += value;
      rounding[i] += reference::ulp_size(reference::kBf16, value) / 2;
    }
  }
  for (const double x : sum) result.out.push_back(reference::encode(reference::kFp32, x));
  return result;
}

}  // namespace

std::string DcpCase::name() const {
  std::string lengths;
  for (const int n : kv_lens) lengths += (lengths.empty() ? "" : "+") + std::to_string(n);
  return std::string("dcp(form=") + (form == DcpForm::kAllToAll ? "all_to_all" : "all_gather") +
         ",ranks=" + std::to_string(ranks) + ",interleave=" + std::to_string(interleave) + ",kv_len=" + lengths + ")";
}

Outcome run_dcp(const DcpCase& c) {
  Outcome outcome;
  const MlaDecodeCase decode = decode_case(c);
  const MlaDecodeInputs whole = make_inputs(decode);
  const Parts parts = decode_parts(c, outcome, in_pages_of_one(decode, whole));
  std::vector<double> rounding(index(decode.batch() * kHeads * kWidth));
  const Result got = c.form == DcpForm::kAllToAll ? all_to_all(c, parts) : all_gather(c, parts, rounding);

  const auto truth_in = truth_inputs(decode, whole);
  const auto truth = reference::mla_decode(truth_in.problem());
  Tensor out_bound(truth.out.dims());
  Tensor lse_bound(truth.lse.dims());
  for (std::size_t i = 0; i < parts.states.size(); ++i) {
    const auto bound = reference::merge_bound(parts.states[i], parts.bounds[i]);
    lse_bound.values()[i] = bound.lse;
    for (std::size_t d = 0; d < kWidth; ++d) {
      const std::size_t at = i * kWidth + d;
      const double error = bound.out[static_cast<Eigen::Index>(d)];
      // The result of all-to-all is bf16; that of all-gather was rounded a rank at a time.
      const double last = c.form == DcpForm::kAllToAll
                              ? reference::ulp_size(reference::kBf16, std::abs(truth.out.values()[at]) + error) / 2
                              : rounding[at];
      out_bound.values()[at] = error + last;
    }
  }
  take(outcome, reference::compare("out", reference::kFp32, got.out, truth.out, out_bound, kBoundSource));
  take(outcome, reference::compare("lse", reference::kFp32, got.lse, truth.lse, lse_bound, kBoundSource));
  return outcome;
}

std::vector<Case> dcp_cases() {
  std::vector<DcpCase> table;
  for (const DcpForm form : {DcpForm::kAllToAll, DcpForm::kAllGather}) {
    for (const int ranks : {1, 2, 3, 4}) table.push_back({form, ranks, 16, {100, 33, 0, 64}});
    table.push_back({form, 6, 1, {50, 3, -2}});  // rows shorter than there are ranks; a padded row
    table.push_back({form, 4, 16, {5, 16, 0}});  // one rank has all tokens
    table.push_back({form, 3, 7, {0, 0}});       // nobody has any
    table.push_back({form, 2, 64, {63, 64, 65, 127, 128, 129}});
  }
  std::vector<Case> cases;
  for (const DcpCase& c : table) cases.push_back({c.name(), [c] { return run_dcp(c); }});
  return cases;
}

}  // namespace offgrid::cases
