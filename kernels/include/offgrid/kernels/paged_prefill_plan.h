/// Launch planning of prefill over a paged cache, in plain C++: which kernel, how many splits, which grids.
///
/// Planning sees only host facts; nothing here reads a length on the device. A batch whose decode rows are split off is
/// planned with what remains.
#pragma once

#include <offgrid/kernels/decode_plan.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace offgrid::kernels {

enum class PagedPrefillKernel {
  kGeneral,  ///< 16 query tokens of one head a block
  kShort,    ///< 32 of them; head_dim 128
  kGqa,      ///< 8 query tokens of two heads that share a KV head, or 16 of one
  kSplitKv,  ///< as general, and the keys of a block are shared by num_kv_splits blocks; a second kernel merges
};

/// "general", "short", "gqa", "split_kv"
std::string_view name_of(PagedPrefillKernel kernel);

/// What a block takes. A row is a query token of one head; its keys are walked in tiles.
struct PagedPrefillTile {
  int heads;    ///< query heads, all of one KV head
  int queries;  ///< query tokens of each
  int lanes;    ///< threads a row
  int tokens;   ///< keys of a tile

  constexpr int rows() const { return heads * queries; }
  constexpr int threads() const { return rows() * lanes; }
};

/// `heads_a_block` matters for kGqa only: 1 or 2.
constexpr PagedPrefillTile paged_prefill_tile(PagedPrefillKernel kernel, int head_dim, int heads_a_block = 1) {
  if (kernel == PagedPrefillKernel::kGqa) return {heads_a_block, 16 / heads_a_block, 16, 16};
  if (kernel == PagedPrefillKernel::kShort) return {1, 32, 8, 32};
  return {1, 16, head_dim == 128 ? 8 : 16, 32};
}

/// Query tokens that a block of the merge of partial results takes.
inline constexpr int kPagedReduceTokens = 16;

struct PagedPrefillShape {
  int num_requests = 0;
  int num_tokens = 0;  ///< query tokens of all requests, padding included
  int max_kv_len = 0;  ///< longest context of these requests
  int num_q_heads = 1;
  int num_kv_heads = 1;  ///< divides num_q_heads
  int head_dim = 128;    ///< 128 or 256
};

struct PagedPrefillOptions {
  bool group_heads = true;                         ///< prefer kGqa
  std::optional<PagedPrefillKernel> force_kernel;  ///< whatever the heuristic says
  int force_num_kv_splits = 0;                     ///< of kSplitKv; 0: as many as the heuristic says
};

struct PagedPrefillPlan {
  PagedPrefillKernel kernel = PagedPrefillKernel::kGeneral;
  PagedPrefillTile tile{};
  int num_kv_splits = 1;
  Grid grid;    ///< [query blocks, heads / heads a block, num_requests * num_kv_splits]; x is 0: launch nothing
  Grid reduce;  ///< [token blocks, num_q_heads]; of kSplitKv only
  std::int64_t partial_rows = 0;  ///< of partial_max and partial_sum; partial_out has head_dim times as many
};

/// Splits that a context is worth: one a 1,024 keys, at most 8.
int paged_prefill_kv_splits(int max_kv_len);

/// The first that applies: kGqa if heads are to be grouped; kShort below 4,096 keys at head_dim 128; kSplitKv where
/// there are at least two splits, at most four requests, and num_q_heads * splits is at least 64; kGeneral.
PagedPrefillKernel choose_paged_prefill(const PagedPrefillShape& shape, bool group_heads = true);

/// errors  std::invalid_argument for negative sizes, heads that do not divide, head_dim other than 128 and 256, kShort
/// at
///         head_dim 256, more than 16 splits, and grids above the y and z limit of 65,535
PagedPrefillPlan plan_paged_prefill(const PagedPrefillShape& shape, const PagedPrefillOptions& options = {});

/// Blocks of the first kernel that find query tokens, for requests that start at cu_query_lens: the others of the grid,
/// which is made for the worst case, end at once.
///
/// shapes  cu_query_lens: [num_requests + 1]
std::int64_t working_blocks(const PagedPrefillPlan& plan, std::span<const std::int32_t> cu_query_lens);

}  // namespace offgrid::kernels
