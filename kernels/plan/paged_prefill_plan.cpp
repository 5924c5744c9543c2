// See <offgrid/kernels/paged_prefill_plan.h>.
#include <offgrid/kernels/paged_prefill_plan.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace offgrid::kernels {
namespace {

constexpr int kShortKvLen = 4096;    // contexts from here on are not short
constexpr int kKeysPerSplit = 1024;  // that are worth a block of their own
constexpr int kMaxChosenSplits = 8;  // by the heuristic
constexpr int kMaxKvSplits = 16;     // that the kernels take
constexpr int kSplitRequests = 4;    // more requests fill the device without splits
constexpr int kSplitBlocks = 64;     // fewer blocks are not worth the merge
constexpr std::int64_t kMaxGridYz = 65535;

void require(bool ok, const std::string& what) {
  if (!ok) throw std::invalid_argument("plan_paged_prefill: " + what);
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

void check(const PagedPrefillShape& s) {
  const auto is = [](const char* name, int value) { return std::string(name) + " is " + std::to_string(value); };
  require(s.num_requests >= 0, is("num_requests", s.num_requests) + "; it is at least 0");
  require(s.num_tokens >= 0, is("num_tokens", s.num_tokens) + "; it is at least 0");
  require(s.max_kv_len >= 0, is("max_kv_len", s.max_kv_len) + "; it is at least 0");
  require(s.num_q_heads >= 1, is("num_q_heads", s.num_q_heads) + "; it is at least 1");
  require(s.num_kv_heads >= 1 && s.num_q_heads % s.num_kv_heads == 0,
          is("num_kv_heads", s.num_kv_heads) + "; it must divide num_q_heads, " + std::to_string(s.num_q_heads));
  require(s.head_dim == 128 || s.head_dim == 256, is("head_dim", s.head_dim) + "; there are kernels for 128 and 256");
  require(s.num_tokens == 0 || s.num_requests > 0, "there are tokens and no request; pass num_requests");
}

Grid checked_grid(std::int64_t x, std::int64_t y, std::int64_t z) {
  require(y <= kMaxGridYz, "num_q_heads needs " + std::to_string(y) + " blocks along y; the limit is 65535");
  require(z <= kMaxGridYz, "num_requests * num_kv_splits needs " + std::to_string(z) +
                               " blocks along z; the limit is 65535, so split the batch");
  return {static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)};
}

}  // namespace

std::string_view name_of(PagedPrefillKernel kernel) {
  switch (kernel) {
    case PagedPrefillKernel::kGeneral:
      return "general";
    case PagedPrefillKernel::kShort:
      return "short";
    case PagedPrefillKernel::kGqa:
      return "gqa";
    case PagedPrefillKernel::kSplitKv:
      return "split_kv";
  }
  return "unknown";
}

int paged_prefill_kv_splits(int max_kv_len) {
  return static_cast<int>(std::clamp<std::int64_t>(ceil_div(max_kv_len, kKeysPerSplit), 1, kMaxChosenSplits));
}

PagedPrefillKernel choose_paged_prefill(const PagedPrefillShape& shape, bool group_heads) {
  if (group_heads) return PagedPrefillKernel::kGqa;
  if (shape.max_kv_len < kShortKvLen && shape.head_dim == 128) return PagedPrefillKernel::kShort;
  const int splits = paged_prefill_kv_splits(shape.max_kv_len);
  const bool fills_the_device = std::int64_t{shape.num_q_heads} * splits >= kSplitBlocks;
  if (splits >= 2 && shape.num_requests <= kSplitRequests && fills_the_device) return PagedPrefillKernel::kSplitKv;
  return PagedPrefillKernel::kGeneral;
}

PagedPrefillPlan plan_paged_prefill(const PagedPrefillShape& shape, const PagedPrefillOptions& options) {
  check(shape);
  PagedPrefillPlan plan;
  plan.kernel = options.force_kernel.value_or(choose_paged_prefill(shape, options.group_heads));
  require(plan.kernel != PagedPrefillKernel::kShort || shape.head_dim == 128, "the short kernel has head_dim 128 only");
  const bool splits = plan.kernel == PagedPrefillKernel::kSplitKv;
  if (splits) {
    const int chosen = paged_prefill_kv_splits(shape.max_kv_len);
    plan.num_kv_splits = options.force_num_kv_splits != 0 ? options.force_num_kv_splits : chosen;
    require(plan.num_kv_splits >= 1 && plan.num_kv_splits <= kMaxKvSplits,
            "num_kv_splits is " + std::to_string(plan.num_kv_splits) + "; it is 1 to 16");
  }
  const int group = shape.num_q_heads / shape.num_kv_heads;
  plan.tile = paged_prefill_tile(plan.kernel, shape.head_dim, group % 2 == 0 ? 2 : 1);
  plan.grid = checked_grid(ceil_div(shape.num_tokens, plan.tile.queries), shape.num_q_heads / plan.tile.heads,
                           std::int64_t{shape.num_requests} * plan.num_kv_splits);
  if (splits) {
    plan.reduce = checked_grid(ceil_div(shape.num_tokens, kPagedReduceTokens), shape.num_q_heads, 1);
    plan.partial_rows = std::int64_t{shape.num_tokens} * shape.num_q_heads * plan.num_kv_splits;
  }
  return plan;
}

std::int64_t working_blocks(const PagedPrefillPlan& plan, std::span<const std::int32_t> cu_query_lens) {
  std::int64_t blocks = 0;
  for (std::size_t r = 1; r < cu_query_lens.size(); ++r) {
    blocks += ceil_div(cu_query_lens[r] - cu_query_lens[r - 1], plan.tile.queries);
  }
  return blocks * plan.grid.y * plan.num_kv_splits;
}

}  // namespace offgrid::kernels
