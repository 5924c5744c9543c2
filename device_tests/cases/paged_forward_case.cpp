// See paged_forward_case.h. The launch trace shows which kernels ran and that decode took the rows it should: a case
// can be right on the wrong kernel.
#include "cases/paged_forward_case.h"

#include <offgrid/kernels/paged_decode.h>
#include <offgrid/kernels/paged_forward.h>
#include <offgrid/kernels/paged_prefill.h>

#include <algorithm>
#include <optional>
#include <string>

#include "cases/launch_count.h"
#include "cases/paged_judge.h"

namespace offgrid::cases {
namespace {

using kernels::PagedKvType;
using kernels::PagedPrefillKernel;

// The specification's figure for a split batch.
constexpr double kSplitBatch = 1.2e-3;

struct ForwardCase {
  PagedCase c;
  std::optional<int> threshold = 3;
  std::optional<PagedPrefillKernel> prefill{};
  bool grouped = false;  // decode with a block for the heads of a KV head
  std::string name() const;
};

std::string ForwardCase::name() const {
  std::string text = c.name();
  std::string more = ",threshold=" + (threshold ? std::to_string(*threshold) : std::string("none"));
  if (prefill) more += ",prefill=" + std::string(kernels::name_of(*prefill));
  if (grouped) more += ",decode=grouped";
  text.insert(text.size() - 1, more);
  return text;
}

// Starts with a kernel name, for each launch in order.
void check_launches(Outcome& outcome, const ForwardCase& one, const kernels::PagedBatchPlan& plan,
                    const std::vector<std::string>& launches) {
  std::vector<std::string> expected;
  if (plan.num_decode_tokens > 0) {
    expected.push_back(one.grouped ? "paged_decode_split_grouped<" : "paged_decode_split<");
    expected.push_back("paged_combine<" + std::to_string(one.c.head_dim) + "> " +
                       std::to_string(plan.num_decode_tokens) + "x");
  }
  if (plan.num_prefill_tokens() > 0) {
    if (plan.num_decode_tokens > 0) expected.push_back("paged_rebase_starts");
    const auto kernel = one.prefill.value_or(PagedPrefillKernel::kGqa);
    expected.push_back("paged_prefill_" + std::string(kernels::name_of(kernel)) + "<");
    if (kernel == PagedPrefillKernel::kSplitKv) expected.push_back("paged_prefill_reduce<");
  }
  const bool right =
      launches.size() == expected.size() &&
      std::equal(launches.begin(), launches.end(), expected.begin(),
                 [](const std::string& got, const std::string& want) { return got.find(want) != std::string::npos; });
  if (right) return;
  for (const std::string& want : expected) outcome.fail("  expected " + want + "\n");
  for (const std::string& got : launches) outcome.fail("  launched " + got + "\n");
}

Outcome run(const ForwardCase& one) {
  Outcome outcome;
  const PagedCase& c = one.c;
  const PagedInputs in = make_paged_inputs(c);
  PagedDevice device(c, in);
  PagedCase rest = c;  // partial results of prefill, for as many rows: decode's are not to be touched by it
  rest.num_kv_splits = 8;
  PagedDevice prefill_memory(rest, in);

  const kernels::PagedBatchPlan plan =
      kernels::plan_paged_batch({.query_starts = in.cu_query_lens,
                                 .num_tokens = c.num_tokens(),
                                 .max_kv_len = *std::max_element(in.kv_lens.begin(), in.kv_lens.end()),
                                 .kv_len_bounds = in.kv_lens,
                                 .num_q_heads = c.heads},
                                {.threshold = one.threshold});
  gpu::DeviceBuffer<std::int32_t> starts({"prefill_starts", "int32", {}}, plan.prefill_starts.size());
  const kernels::PagedAttentionParams& m = prefill_memory.params();
  const kernels::PagedForwardScratch scratch{m.partial_out, m.partial_max, m.partial_sum, starts.data()};
  kernels::PagedForwardOptions options{.group_decode = one.grouped};
  options.prefill.force_kernel = one.prefill;
  if (one.prefill == PagedPrefillKernel::kSplitKv) options.prefill.force_num_kv_splits = 4;

  device.poison();
  prefill_memory.poison();
  const auto launches = trace_launches([&] {
    kernels::paged_forward(c.kv_type, c.head_dim, device.params(), plan, scratch, options);
    gpu::synchronize();
  });
  if (launches) check_launches(outcome, one, plan, *launches);
  const PagedOutputs got = device.outputs();
  const auto padding = plan.num_prefill_tokens() > 0 ? PaddingRows::kUntouched : PaddingRows::kZero;
  // One bound for both parts: that of the longer chains.
  compare_with_truth(
      outcome, c, in, got,
      {.dot_depth = c.head_dim, .tile_tokens = 64, .num_kv_splits = c.num_kv_splits, .sums_by_tile = false}, padding,
      kSplitBatch);
  check_untouched(outcome, c, in, got);
  return outcome;
}

PagedCase mixed(int head_dim, int window) {
  return {.kernel = "forward",
          .head_dim = head_dim,
          .heads = 8,
          .kv_heads = 2,
          .requests = {{1, 900}, {3, 1500}, {2, 40}, {100, 300}, {64, 64}},
          .window = window};
}

std::vector<ForwardCase> table() {
  using enum PagedPrefillKernel;
  std::vector<ForwardCase> cases;
  // Fourteen: each prefill kernel behind decode, with and without a window; and with grouped decode where it exists.
  for (const int head_dim : {128, 256}) {
    for (const PagedPrefillKernel kernel : {kGeneral, kShort, kGqa, kSplitKv}) {
      if (kernel == kShort && head_dim == 256) continue;
      for (const int window : {0, 32}) {
        cases.push_back({mixed(head_dim, window), 3, kernel});
        if (head_dim == 256) cases.push_back({mixed(head_dim, window), 3, kernel, true});
      }
    }
    // No split, other thresholds, padding behind both parts, and batches that decode takes whole.
    for (const std::optional<int> threshold : {std::optional<int>{}, std::optional<int>{1}, std::optional<int>{2}}) {
      PagedCase c = mixed(head_dim, 0);
      c.padding = 3;
      cases.push_back({c, threshold});
    }
    PagedCase verify = mixed(head_dim, 0);
    verify.requests = {{3, 900}, {3, 1500}, {3, 40}, {3, 3000}};
    verify.padding = 2;
    cases.push_back({verify, 3});
    cases.push_back({verify, std::nullopt});
    PagedCase lone = mixed(head_dim, 0);
    lone.requests = {{1, 900}, {0, 7}, {1, 70}};  // of which token 1 is request 2
    cases.push_back({lone, 1});
    lone.requests = {{1, 900}, {1, 70}, {0, 0}};
    lone.padding = 1;
    cases.push_back({lone, 1});
    for (const PagedKvType kv_type : {PagedKvType::kFp16, PagedKvType::kE4m3, PagedKvType::kInt8}) {
      PagedCase small = mixed(head_dim, 0);
      small.kv_type = kv_type;
      small.heads = 4;
      small.requests = {{1, 90}, {3, 70}, {20, 40}, {17, 17}};
      small.padding = 1;
      for (const PagedPrefillKernel kernel : {kGeneral, kShort, kGqa, kSplitKv}) {
        if (kernel != kShort || head_dim == 128) cases.push_back({small, 3, kernel});
      }
      if (kv_type == PagedKvType::kFp16 && head_dim == 256) cases.push_back({small, 3, kGqa, true});
    }
    PagedCase fused = mixed(head_dim, 20);
    fused.requests = {{1, 300}, {3, 200}, {20, 60}, {33, 33}};
    fused.fused_q = true;
    fused.memory = CacheMemory::kPadded;
    fused.page_size = 13;
    cases.push_back({fused, 3, kGeneral});
    fused.in_place = true;
    cases.push_back({fused, 3, kSplitKv});
  }
  return cases;
}

}  // namespace

std::vector<Case> paged_forward_cases() {
  std::vector<Case> cases;
  for (const ForwardCase& one : table()) {
    Case added;
    added.name = one.name();
    added.run = [one] { return run(one); };
    added.is_long = one.c.is_heavy();
    cases.push_back(std::move(added));
  }
  return cases;
}

}  // namespace offgrid::cases
