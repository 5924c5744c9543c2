// See paged_prefill_run.h.
#include "cases/paged_prefill_run.h"

#include <offgrid/kernels/paged_decode.h>
#include <offgrid/kernels/paged_prefill.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string_view>

#include "cases/launch_count.h"
#include "cases/paged_device.h"
#include "cases/paged_inputs.h"
#include "cases/paged_judge.h"

namespace offgrid::cases {
namespace {

using kernels::PagedPrefillKernel;

constexpr PagedPrefillKernel kKernels[] = {PagedPrefillKernel::kGeneral, PagedPrefillKernel::kShort,
                                           PagedPrefillKernel::kGqa, PagedPrefillKernel::kSplitKv};

bool splits_keys(const PagedCase& c) { return prefill_kernel_of(c) == PagedPrefillKernel::kSplitKv; }

int tokens_of(const PagedCase& c, int first_request, int end_request) {
  int tokens = 0;
  for (int r = first_request; r < end_request; ++r) tokens += c.requests[static_cast<std::size_t>(r)].q_len;
  return tokens;
}

// The plan of the requests from `first` on.
kernels::PagedPrefillPlan plan_of(const PagedCase& c, int first) {
  kernels::PagedPrefillShape shape;
  shape.num_requests = c.num_requests() - first;
  shape.num_tokens = c.num_tokens() - tokens_of(c, 0, first);
  for (int r = first; r < c.num_requests(); ++r) {
    shape.max_kv_len = std::max(shape.max_kv_len, c.requests[static_cast<std::size_t>(r)].kv_len);
  }
  shape.num_q_heads = c.heads;
  shape.num_kv_heads = c.kv_heads;
  shape.head_dim = c.head_dim;
  kernels::PagedPrefillOptions options;
  options.force_kernel = prefill_kernel_of(c);
  options.force_num_kv_splits = splits_keys(c) ? c.num_kv_splits : 0;
  return plan_paged_prefill(shape, options);
}

// Rows and requests [first, ...) of a call: what a caller passes who has split a batch. Starts begin at 0 again.
kernels::PagedAttentionParams rest_of(const kernels::PagedAttentionParams& all, const PagedCase& c, int first,
                                      const std::int32_t* starts) {
  const int token = tokens_of(c, 0, first);
  kernels::PagedAttentionParams p = all;
  p.q = static_cast<const std::uint16_t*>(all.q) + token * all.q_token_stride;
  p.out = static_cast<std::uint16_t*>(all.out) + token * all.out_token_stride;
  p.page_table = all.page_table + first * all.page_table_stride;
  p.kv_lens = all.kv_lens + first;
  p.cu_query_lens = starts;
  p.num_tokens = all.num_tokens - token;
  p.num_requests = all.num_requests - first;
  return p;
}

// The call's partial buffers: decode of a split batch has its own, and prefill's begin at its own first token.
struct Partials {
  gpu::DeviceBuffer<float> out, max, sum;

  Partials(const char* name, const PagedCase& c, std::int64_t rows)
      : out({name, "fp32", {}}, static_cast<std::size_t>(rows * c.head_dim)),
        max({name, "fp32", {}}, static_cast<std::size_t>(rows)),
        sum({name, "fp32", {}}, static_cast<std::size_t>(rows)) {
    for (auto* buffer : {&out, &max, &sum}) buffer->fill(0xFF);
  }
  void put_into(kernels::PagedAttentionParams& p) {
    p.partial_out = out.data();
    p.partial_max = max.data();
    p.partial_sum = sum.data();
  }
};

// Partial results of tokens are all written, those behind the last request are not.
void check_partials(Outcome& outcome, const PagedCase& c, const Partials& partials, std::int64_t real_rows) {
  const auto check = [&](const char* name, const std::vector<float>& got, std::int64_t width) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      const bool is_poison = std::bit_cast<std::uint32_t>(got[i]) == 0xFFFFFFFF;
      const bool is_real = static_cast<std::int64_t>(i) < real_rows * width;
      if (is_poison != is_real) continue;
      outcome.fail(std::string("  ") + name + "[" + std::to_string(i) + "] " +
                   (is_real ? "was not written\n" : "lies behind the last request and was written\n"));
      return;
    }
  };
  check("partial_out", partials.out.download(), c.head_dim);
  check("partial_max", partials.max.download(), 1);
  check("partial_sum", partials.sum.download(), 1);
}

// The launches that plain arithmetic expects: how each begins and ends.
void check_launches(Outcome& outcome, const PagedPrefillCase& one, const std::vector<std::string>& launches) {
  const PagedCase& c = one.c;
  const unsigned heads = static_cast<unsigned>(c.heads);
  const auto rest = static_cast<unsigned>(c.num_tokens() - tokens_of(c, 0, one.decode_requests));
  const auto requests = static_cast<unsigned>(c.num_requests() - one.decode_requests);
  const std::string head_dim = std::to_string(c.head_dim);
  std::vector<std::pair<std::string, std::string>> want;
  const auto expect_decode = [&](std::string name, unsigned x, unsigned y, unsigned z) {
    want.emplace_back(std::move(name), launch_text(head_dim + ">", {x, y, z}));
  };
  const auto expect = [&](const std::string& name, unsigned x, unsigned y, unsigned z) {
    want.emplace_back(name + head_dim, launch_text(">", {x, y, z}));
  };
  if (one.decode_requests > 0) {
    const auto tokens = static_cast<unsigned>(tokens_of(c, 0, one.decode_requests));
    expect_decode("paged_decode_split<", tokens, heads, 16);
    expect_decode("paged_combine<", tokens, heads, 1);
  }
  if (rest > 0) {
    switch (prefill_kernel_of(c)) {
      case PagedPrefillKernel::kGeneral:
        expect("paged_prefill_general<", (rest + 15) / 16, heads, requests);
        break;
      case PagedPrefillKernel::kShort:
        expect("paged_prefill_short<", (rest + 31) / 32, heads, requests);
        break;
      case PagedPrefillKernel::kGqa:
        if (c.heads / c.kv_heads % 2 == 0) expect("paged_prefill_gqa<", (rest + 7) / 8, heads / 2, requests);
        if (c.heads / c.kv_heads % 2 == 1) expect("paged_prefill_gqa<", (rest + 15) / 16, heads, requests);
        break;
      case PagedPrefillKernel::kSplitKv:
        expect("paged_prefill_split_kv<", (rest + 15) / 16, heads, requests * static_cast<unsigned>(c.num_kv_splits));
        expect("paged_prefill_reduce<", (rest + 15) / 16, heads, 1);
        break;
    }
  }
  bool right = launches.size() == want.size();
  for (std::size_t i = 0; right && i < want.size(); ++i) {
    right = launches[i].starts_with(want[i].first) && launches[i].ends_with(want[i].second);
  }
  if (right) return;
  outcome.fail("  other kernels or grids than expected were launched:\n");
  for (const auto& [name, grid] : want) outcome.fail("    expected " + name + "..." + grid + "\n");
  for (const std::string& launch : launches) outcome.fail("    launched " + launch + "\n");
}

// Poisons, launches and takes the results.
PagedOutputs run_kernels(Outcome& outcome, const PagedPrefillCase& one, PagedDevice& device) {
  const PagedCase& c = one.c;
  const kernels::PagedPrefillPlan plan = plan_of(c, one.decode_requests);
  const int decode_tokens = tokens_of(c, 0, one.decode_requests);
  std::vector<std::int32_t> rebased{0};
  for (int r = one.decode_requests; r < c.num_requests(); ++r) {
    rebased.push_back(rebased.back() + c.requests[static_cast<std::size_t>(r)].q_len);
  }
  const gpu::DeviceBuffer<std::int32_t> starts({"rebased_query_lens", "int32", {}},
                                               std::span<const std::int32_t>(rebased));

  device.poison();
  Partials partials("prefill_partials", c, plan.partial_rows);
  Partials decode_partials("decode_partials", c, std::int64_t{decode_tokens} * c.heads * 16);
  kernels::PagedAttentionParams prefill = rest_of(device.params(), c, one.decode_requests, starts.data());
  prefill.num_kv_splits = plan.num_kv_splits;
  partials.put_into(prefill);
  kernels::PagedAttentionParams decode = device.params();
  decode.num_tokens = decode_tokens;
  decode.num_requests = one.decode_requests;
  decode.num_kv_splits = 16;
  decode_partials.put_into(decode);

  const auto launches = trace_launches([&] {
    if (one.decode_requests > 0) kernels::paged_decode({c.kv_type, c.head_dim, false}, decode);
    kernels::paged_prefill(c.kv_type, c.head_dim, prefill, plan);
    gpu::synchronize();
  });
  if (launches) check_launches(outcome, one, *launches);
  if (splits_keys(c)) {
    check_partials(outcome, c, partials,
                   std::int64_t{tokens_of(c, one.decode_requests, c.num_requests())} * c.heads * plan.num_kv_splits);
  }
  return device.outputs();
}

reference::VarlenArithmetic arithmetic_of(const PagedPrefillCase& one) {
  const PagedCase& c = one.c;
  const kernels::PagedPrefillPlan plan = plan_of(c, one.decode_requests);
  const kernels::PagedPrefillArithmetic prefill = kernels::paged_prefill_arithmetic(plan, c.head_dim);
  reference::VarlenArithmetic a;
  a.dot_depth = prefill.dot_depth;
  a.tile_tokens = prefill.tile_tokens;
  a.num_kv_splits = one.decode_requests > 0 ? std::max(16, plan.num_kv_splits) : plan.num_kv_splits;
  a.sums_by_tile = false;
  return a;
}

// Every token of a request as the only new token of a request whose context ends with it.
void compare_rows_alone(Outcome& outcome, const PagedPrefillCase& one, const PagedInputs& in, PagedDevice& device,
                        const PagedOutputs& got) {
  const PagedCase& c = one.c;
  const auto together = gather_out(c, in, got.out);
  const std::int64_t width = std::int64_t{c.heads} * c.head_dim;
  const kernels::PagedPrefillPlan plan = plan_of(c, 0);
  const kernels::PagedAttentionParams all = device.params();
  for (int r = 0; r < c.num_requests(); ++r) {
    const PagedRequest& request = c.requests[static_cast<std::size_t>(r)];
    for (int i = 0; i < request.q_len; i += 1 + request.q_len / 3) {
      const int at = tokens_of(c, 0, r) + i;
      const std::int32_t starts_of_one[] = {0, 1}, kv_len[] = {request.kv_len - request.q_len + 1 + i};
      const gpu::DeviceBuffer<std::int32_t> starts({"starts", "int32", {}},
                                                   std::span<const std::int32_t>(starts_of_one));
      const gpu::DeviceBuffer<std::int32_t> kv_lens({"kv_len", "int32", {}}, std::span<const std::int32_t>(kv_len));
      kernels::PagedAttentionParams p = all;
      p.q = static_cast<const std::uint16_t*>(all.q) + at * all.q_token_stride;
      p.out = static_cast<std::uint16_t*>(all.out) + at * all.out_token_stride;
      p.page_table = all.page_table + r * all.page_table_stride;
      p.kv_lens = kv_lens.data();
      p.cu_query_lens = starts.data();
      p.num_tokens = p.num_requests = 1;
      p.num_kv_splits = 1;
      kernels::PagedPrefillPlan single = plan;
      single.grid.x = single.grid.z = 1;
      device.poison();
      kernels::paged_prefill(c.kv_type, c.head_dim, p, single);
      gpu::synchronize();
      const auto alone = gather_out(c, in, device.outputs().out);
      const auto begin = static_cast<std::ptrdiff_t>(at * width), end = begin + static_cast<std::ptrdiff_t>(width);
      if (std::equal(together.begin() + begin, together.begin() + end, alone.begin() + begin)) continue;
      outcome.fail("  token " + std::to_string(i) + " of request " + std::to_string(r) +
                   " has other bits than alone behind the same context\n");
    }
  }
}

}  // namespace

kernels::PagedPrefillKernel prefill_kernel_of(const PagedCase& c) {
  for (const PagedPrefillKernel kernel : kKernels) {
    if (std::string_view(c.kernel).ends_with("_" + std::string(kernels::name_of(kernel)))) return kernel;
  }
  throw std::logic_error("no prefill kernel is called " + c.kernel);
}

Outcome run_paged_prefill(const PagedPrefillCase& one) {
  Outcome outcome;
  const PagedInputs in = make_paged_inputs(one.c);
  PagedDevice device(one.c, in, false);
  const PagedOutputs got = run_kernels(outcome, one, device);
  compare_with_truth(outcome, one.c, in, got, arithmetic_of(one), PaddingRows::kUntouched, one.largest_relative);
  check_untouched(outcome, one.c, in, got);
  if (one.rows_alone) compare_rows_alone(outcome, one, in, device, got);
  return outcome;
}

std::vector<Case> paged_prefill_cases() {
  std::vector<Case> cases;
  for (const PagedPrefillCase& one : paged_prefill_table()) {
    Case added;
    added.name = one.c.name();
    added.run = [one] { return run_paged_prefill(one); };
    added.is_long = one.c.is_long;
    cases.push_back(std::move(added));
  }
  return cases;
}

}  // namespace offgrid::cases
