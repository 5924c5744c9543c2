// See paged_decode_run.h.
#include "cases/paged_decode_run.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "cases/launch_count.h"
#include "cases/paged_judge.h"

namespace offgrid::cases {
namespace {

constexpr std::uint32_t kPoison32 = 0xFFFFFFFF;

// Every partial result was written, whether its split saw keys or not; those that saw none hold (0, -inf, 0).
void check_partials(Outcome& outcome, const PagedCase& c, const PagedOutputs& got) {
  const auto untouched = [](float x) { return std::bit_cast<std::uint32_t>(x) == kPoison32; };
  for (const auto* partials : {&got.partial_out, &got.partial_max, &got.partial_sum}) {
    if (std::any_of(partials->begin(), partials->end(), untouched)) {
      outcome.fail("  a partial result was not written\n");
      return;
    }
  }
  for (std::size_t i = 0; i < got.partial_sum.size(); ++i) {
    if (got.partial_sum[i] != 0) continue;
    const auto first = got.partial_out.begin() + static_cast<std::ptrdiff_t>(i * static_cast<std::size_t>(c.head_dim));
    if (got.partial_max[i] == -std::numeric_limits<float>::infinity() &&
        std::all_of(first, first + c.head_dim, [](float x) { return x == 0; })) {
      continue;
    }
    outcome.fail("  partial result " + std::to_string(i) + " saw no key and is not (0, -inf, 0)\n");
    return;
  }
}

// Kernel names and grids, as plain arithmetic says they must be.
void check_launches(Outcome& outcome, const PagedCase& c, const std::vector<std::string>& launches) {
  const auto tokens = static_cast<unsigned>(c.num_tokens());
  if (tokens == 0) {
    if (!launches.empty()) outcome.fail("  no token, and kernels were launched\n");
    return;
  }
  const bool grouped = c.kernel == "decode_grouped";
  const unsigned heads = static_cast<unsigned>(grouped ? c.kv_heads : c.heads);
  const unsigned split_grid[3] = {tokens, heads, static_cast<unsigned>(c.num_kv_splits)};
  const unsigned combine_grid[3] = {tokens, static_cast<unsigned>(c.heads), 1};
  const std::string kernel = grouped ? "paged_decode_split_grouped<" : "paged_decode_split<";
  const bool right = launches.size() == 2 && launches[0].starts_with(kernel) &&
                     launches[0].ends_with(launch_text(std::to_string(c.head_dim) + ">", split_grid)) &&
                     launches[1] == launch_text("paged_combine<" + std::to_string(c.head_dim) + ">", combine_grid);
  if (right) return;
  outcome.fail("  expected " + kernel + "> and paged_combine, launched:\n");
  for (const std::string& launch : launches) outcome.fail("    " + launch + "\n");
}

}  // namespace

kernels::PagedDecodeVariant paged_decode_variant(const PagedCase& c) {
  return {.kv_type = c.kv_type, .head_dim = c.head_dim, .grouped = c.kernel == "decode_grouped"};
}

reference::VarlenArithmetic paged_decode_bound_arithmetic(const PagedCase& c) {
  const auto arithmetic = kernels::paged_decode_arithmetic(paged_decode_variant(c));
  return {.dot_depth = arithmetic.dot_depth, .tile_tokens = arithmetic.tile_tokens, .num_kv_splits = c.num_kv_splits};
}

PagedOutputs run_paged_decode_kernels(Outcome& outcome, const PagedCase& c, PagedDevice& device) {
  device.poison();
  const auto launches = trace_launches([&] {
    kernels::paged_decode(paged_decode_variant(c), device.params());
    gpu::synchronize();
  });
  if (launches) check_launches(outcome, c, *launches);
  return device.outputs();
}

Outcome run_paged_decode(const PagedDecodeCase& one) {
  const PagedCase& c = one.c;
  Outcome outcome;
  const PagedInputs in = make_paged_inputs(c);
  PagedDevice device(c, in);
  const PagedOutputs got = run_paged_decode_kernels(outcome, c, device);
  compare_with_truth(outcome, c, in, got, paged_decode_bound_arithmetic(c), PaddingRows::kZero, one.largest_relative);
  check_untouched(outcome, c, in, got);
  check_partials(outcome, c, got);
  if (one.against_no_starts) {
    PagedCase plain = c;
    plain.with_starts = false;
    const PagedInputs plain_in = make_paged_inputs(plain);
    PagedDevice plain_device(plain, plain_in);
    compare_outs(outcome, "against no cu_query_lens", c, in, got,
                 run_paged_decode_kernels(outcome, plain, plain_device));
  }
  return outcome;
}

std::vector<Case> paged_decode_cases() {
  std::vector<Case> cases;
  for (const PagedDecodeCase& one : paged_decode_table()) {
    Case added;
    added.name = one.c.name();
    added.run = [one] { return run_paged_decode(one); };
    added.is_long = one.c.is_long || one.c.is_heavy();
    cases.push_back(std::move(added));
  }
  return cases;
}

}  // namespace offgrid::cases
