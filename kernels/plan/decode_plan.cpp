// See <offgrid/kernels/decode_plan.h>.
#include <offgrid/kernels/decode_plan.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace offgrid::kernels {
namespace {

constexpr int kHeadRows = 16;            // query heads a stage 1 block takes, at most
constexpr int kTokensPerSplit = 512;     // what one split is worth
constexpr unsigned kGridLimit = 65'535;  // of y and z on every device

int divide_up(int a, int b) { return a / b + (a % b != 0); }

constexpr int kSharedSplitTokens = 256;  // more tokens of a split are shared by two blocks on the tensor-core path

unsigned checked_axis(int size, const char* axis) {
  if (size < 0 || static_cast<unsigned>(size) > kGridLimit) {
    throw std::invalid_argument(std::string("decode: ") + axis + " does not fit the grid limit of 65535");
  }
  return static_cast<unsigned>(size);
}

}  // namespace

int heuristic_num_kv_splits(int max_kv_len, int multiprocessors) {
  if (max_kv_len < 0 || multiprocessors < 1) {
    throw std::invalid_argument("split heuristic: max_kv_len is at least 0, multiprocessors at least 1");
  }
  const auto ideal = std::bit_ceil(static_cast<unsigned>(std::max(1, max_kv_len / kTokensPerSplit)));
  return static_cast<int>(std::min<std::int64_t>(ideal, 2 * std::int64_t{multiprocessors}));
}

bool may_write_direct(int max_kv_len, int multiprocessors) {
  return heuristic_num_kv_splits(max_kv_len, multiprocessors) == 1;
}

DecodePath choose_path(const DecodeShape& shape, int num_kv_splits, bool write_direct) {
  const bool grouped = shape.num_q_heads > shape.num_kv_heads;
  const bool direct = kHasDirectPath && shape.is_mla && grouped && num_kv_splits == 1 && write_direct;
  return direct ? DecodePath::kDirect : DecodePath::kTwoStage;
}

unsigned decode_head_blocks(int num_q_heads, int num_kv_heads) {
  if (num_q_heads < 1 || num_kv_heads < 1) throw std::invalid_argument("decode: numbers of heads are at least 1");
  if (num_q_heads % num_kv_heads != 0) {
    throw std::invalid_argument("decode: num_kv_heads does not divide num_q_heads");
  }
  const int group = num_q_heads / num_kv_heads;
  if (num_kv_heads > 1 && group > kHeadRows && group % kHeadRows != 0) {
    throw std::invalid_argument("decode: groups of " + std::to_string(group) +
                                " query heads would share a block of 16 with another KV head");
  }
  return checked_axis(divide_up(num_q_heads, std::min(kHeadRows, group)), "the number of head blocks");
}

DecodePlan plan_decode(const DecodeShape& shape, int multiprocessors, const DecodeOptions& options) {
  if (shape.batch < 0 || shape.value_dim < 1) {
    throw std::invalid_argument("decode: batch is at least 0, value_dim at least 1");
  }
  if (options.force_num_kv_splits < 0) throw std::invalid_argument("decode: a forced split count is at least 1");
  DecodePlan plan;
  plan.num_kv_splits = heuristic_num_kv_splits(shape.max_kv_len, multiprocessors);
  if (options.batch_invariant) plan.num_kv_splits = 1;
  if (options.force_num_kv_splits > 0) plan.num_kv_splits = options.force_num_kv_splits;
  plan.path = choose_path(shape, plan.num_kv_splits, options.write_direct);

  plan.stage1 = {static_cast<unsigned>(shape.batch), decode_head_blocks(shape.num_q_heads, shape.num_kv_heads),
                 checked_axis(plan.num_kv_splits, "num_kv_splits")};
  plan.stage2 = {static_cast<unsigned>(shape.batch), checked_axis(shape.num_q_heads, "num_q_heads"), 1};
  plan.cluster_blocks = divide_up(shape.max_kv_len, plan.num_kv_splits) > kSharedSplitTokens ? 2 : 1;
  const std::int64_t blocks =
      std::int64_t{shape.batch} * divide_up(shape.num_q_heads, kHeadRows) * plan.num_kv_splits * plan.cluster_blocks;
  plan.cluster_heads = shape.num_q_heads > kHeadRows && blocks > multiprocessors ? 2 * kHeadRows : kHeadRows;
  plan.scratch_count = std::int64_t{shape.batch} * shape.num_q_heads * plan.num_kv_splits * (shape.value_dim + 1);
  return plan;
}

std::int64_t workspace_bytes(int max_batch, int num_q_heads, int value_dim, int max_kv_len, int multiprocessors) {
  const std::int64_t splits = heuristic_num_kv_splits(max_kv_len, multiprocessors);
  return std::int64_t{max_batch} * num_q_heads * splits * (value_dim + 1) * std::int64_t{sizeof(float)};
}

}  // namespace offgrid::kernels
