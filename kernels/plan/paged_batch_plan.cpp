// See <offgrid/kernels/paged_batch_plan.h>.
#include <offgrid/kernels/paged_batch_plan.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace offgrid::kernels {
namespace {

constexpr int kMaxGroup = 8;          // query heads of a grouped block
constexpr int kMinGroupedBlocks = 4;  // fewer leave the device empty

void require(bool ok, const std::string& what) {
  if (!ok) throw std::invalid_argument(what);
}

int q_len(const PagedBatch& b, int r) {
  const auto i = static_cast<std::size_t>(r);
  return b.query_starts[i + 1] - b.query_starts[i];
}

// Token t is request t: no request before the last token is empty, none has two.
bool is_token_by_request(const PagedBatch& b) {
  for (std::size_t r = 0; r < b.query_starts.size(); ++r) {
    if (b.query_starts[r] != std::min(static_cast<std::int32_t>(r), b.query_starts.back())) return false;
  }
  return static_cast<int>(b.query_starts.size()) - 1 >= b.num_tokens;
}

// Leading requests that decode may take.
int leading_requests(const PagedBatch& b, int num_requests, int threshold) {
  int r = 0;
  while (r < num_requests && q_len(b, r) <= threshold) ++r;
  return r;
}

}  // namespace

std::optional<int> decode_threshold(const SpeculationOptions& o) {
  require(o.num_speculative_tokens >= 0, "decode_threshold: num_speculative_tokens is at least 0");
  require(o.context_parallel_ranks >= 1, "decode_threshold: context_parallel_ranks is at least 1");
  if (!o.split_decode) return std::nullopt;
  if (o.context_parallel_ranks > 1) return 1;
  return 1 + (o.drafts_in_parallel ? 2 : 1) * o.num_speculative_tokens;
}

RequestKind kind_of(const RequestState& r, int threshold) {
  if (r.computed_tokens == 0) return RequestKind::kFresh;
  if (r.new_tokens > threshold) return RequestKind::kLongExtend;
  return r.computed_tokens < r.prompt_tokens ? RequestKind::kShortExtend : RequestKind::kDecode;
}

std::vector<int> sorted_batch(std::span<const RequestState> requests, int threshold) {
  std::vector<int> order(requests.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int i) { return std::pair(kind_of(requests[static_cast<std::size_t>(i)], threshold), i); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  return order;
}

PagedBatchPlan plan_paged_batch(const PagedBatch& b, const PagedBatchOptions& options) {
  require(!b.query_starts.empty() && b.query_starts.front() == 0, "paged batch: query_starts begin with 0");
  require(std::is_sorted(b.query_starts.begin(), b.query_starts.end()), "paged batch: query_starts never decrease");
  require(b.num_tokens >= b.query_starts.back(), "paged batch: num_tokens is " + std::to_string(b.num_tokens) +
                                                     ", query_starts hold " + std::to_string(b.query_starts.back()));
  PagedBatchPlan plan;
  plan.num_requests = static_cast<int>(b.query_starts.size()) - 1;
  plan.num_tokens = b.num_tokens;
  plan.causal = b.causal;
  plan.max_prefill_kv_len = b.max_kv_len;
  for (int r = 0; r < plan.num_requests; ++r) plan.max_q_len = std::max(plan.max_q_len, q_len(b, r));

  if (plan.max_q_len <= 1) {
    plan.num_decode_requests = plan.num_requests;
    plan.num_decode_tokens = b.num_tokens;
    plan.decode_by_token = is_token_by_request(b);
    return plan;
  }
  if (options.threshold && b.causal) {
    const int requests = leading_requests(b, plan.num_requests, *options.threshold);
    const bool all = requests == plan.num_requests;
    const int tokens = all ? b.num_tokens : b.query_starts[static_cast<std::size_t>(requests)];
    const std::int64_t rows = std::int64_t{tokens} * b.num_q_heads;
    if (tokens > 0 && (options.max_decode_rows == 0 || rows <= options.max_decode_rows)) {
      plan.num_decode_requests = requests;
      plan.num_decode_tokens = tokens;
    }
  }
  const auto first = static_cast<std::size_t>(plan.num_decode_requests);
  if (plan.num_prefill_requests() == 0) return plan;
  for (std::size_t r = first; r < b.query_starts.size(); ++r) {
    plan.prefill_starts.push_back(b.query_starts[r] - plan.num_decode_tokens);
  }
  if (first > 0 && b.kv_len_bounds.size() > first) {
    plan.max_prefill_kv_len =
        *std::max_element(b.kv_len_bounds.begin() + static_cast<std::ptrdiff_t>(first), b.kv_len_bounds.end());
  }
  return plan;
}

DecodeSplitPlan plan_decode_splits(int kv_len, int window, int num_kv_splits, int tile_tokens) {
  require(num_kv_splits >= 1 && tile_tokens >= 1, "decode splits: num_kv_splits and tile_tokens are at least 1");
  DecodeSplitPlan plan;
  if (kv_len <= 0) return plan;
  const int first_visible = window > 0 ? std::max(0, kv_len - window) : 0;
  plan.first_key = first_visible / tile_tokens * tile_tokens;
  const std::int64_t keys = kv_len - plan.first_key;
  const std::int64_t share = (keys + num_kv_splits - 1) / num_kv_splits;
  const std::int64_t split = (share + tile_tokens - 1) / tile_tokens * tile_tokens;
  plan.keys_a_split = static_cast<int>(std::min<std::int64_t>(split, 2147483647));
  plan.working_splits = static_cast<int>((keys + split - 1) / split);
  plan.longest_split = static_cast<int>(std::min(split, keys));
  return plan;
}

bool prefers_grouped_decode(int num_tokens, int num_q_heads, int num_kv_heads, int head_dim) {
  if (num_kv_heads < 1 || num_q_heads % num_kv_heads != 0 || head_dim != 256) return false;
  const int group = num_q_heads / num_kv_heads;
  return group >= 2 && group <= kMaxGroup && std::int64_t{num_tokens} * num_kv_heads >= kMinGroupedBlocks;
}

}  // namespace offgrid::kernels
