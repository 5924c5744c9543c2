/// Decode first: which requests of a batch go to decode and which to prefill, in plain C++. A batch is sorted so that
/// requests with few new tokens behind a prefix come first; each of their tokens is a decode row, and the keys of a row
/// are shared by many blocks, where prefill would walk them in one.
///
/// Planning sees lengths that the host knows; nothing here reads the device.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace offgrid::kernels {

struct SpeculationOptions {
  int num_speculative_tokens = 0;  ///< 0: no speculation
  bool drafts_in_parallel = false;
  int context_parallel_ranks = 1;  ///< of decode context parallelism
  bool split_decode = true;        ///< off: batches are never split
};

/// Requests with at most this many new tokens may go to decode: 1 + drafts (twice the drafts in parallel drafting), 1
/// with context parallelism; empty if batches are not to be split or reordered.
///
/// errors  std::invalid_argument for negative numbers of drafts and fewer than one rank
std::optional<int> decode_threshold(const SpeculationOptions& options);

/// What a request of a step is, in the order that a sorted batch has.
enum class RequestKind {
  kDecode,       ///< has a prefix, at most `threshold` new tokens, its prompt is done
  kShortExtend,  ///< the same while its prompt is being read
  kLongExtend,   ///< has a prefix, more new tokens
  kFresh,        ///< no prefix
};

struct RequestState {
  int new_tokens = 0;
  int computed_tokens = 0;  ///< of its context, before this step
  int prompt_tokens = 0;
};

RequestKind kind_of(const RequestState& request, int threshold);

/// Positions of the requests in a sorted batch: kinds in their order, requests of a kind in theirs.
std::vector<int> sorted_batch(std::span<const RequestState> requests, int threshold);

struct PagedBatch {
  std::span<const std::int32_t> query_starts;     ///< [num_requests + 1], never decreasing; requests may be empty
  int num_tokens = 0;                             ///< rows of q; those behind query_starts.back() are padding
  int max_kv_len = 0;                             ///< longest context of all requests
  std::span<const std::int32_t> kv_len_bounds{};  ///< what the host knows of each context, exact for requests that go
                                                  ///< to prefill; empty or too short: only max_kv_len is known
  bool causal = true;
  int num_q_heads = 1;
};

struct PagedBatchOptions {
  std::optional<int> threshold;  ///< see decode_threshold; empty: only batches of single tokens decode
  int max_decode_rows = 0;       ///< tokens * num_q_heads of decode in a batch with several tokens a request; more, and
                                 ///< everything goes to prefill; 0: no limit
};

struct PagedBatchPlan {
  int num_requests = 0, num_tokens = 0;
  int max_q_len = 0;
  bool causal = true;
  int num_decode_requests = 0;
  int num_decode_tokens = 0;     ///< rows of decode; padding too where there is no prefill
  bool decode_by_token = false;  ///< token t is request t: decode needs no cu_query_lens, but a row of kv_lens (0) and
                                 ///< of the page table for every token of padding
  std::vector<std::int32_t> prefill_starts;  ///< [prefill requests + 1], from 0; empty without prefill
  int max_prefill_kv_len = 0;

  int num_prefill_requests() const { return num_requests - num_decode_requests; }
  int num_prefill_tokens() const { return num_tokens - num_decode_tokens; }
};

/// laws    decode takes the leading requests of at most `threshold` tokens, and nothing if the first one is longer;
///         tokens of decode and prefill are all tokens, and query_starts of the prefill requests minus the tokens of
///         decode begin at 0;  a batch of single tokens decodes, whatever the threshold;  a batch that is not causal is
///         never split
/// errors  std::invalid_argument for starts that do not begin at 0 or decrease, and fewer tokens than they hold
PagedBatchPlan plan_paged_batch(const PagedBatch& batch, const PagedBatchOptions& options = {});

/// How the keys of one decode row are shared.
struct DecodeSplitPlan {
  int first_key = 0;       ///< where the first split begins: the tile of the window's first key
  int keys_a_split = 0;    ///< whole tiles
  int working_splits = 0;  ///< splits that have keys
  int longest_split = 0;   ///< keys that a block walks, at most
};
DecodeSplitPlan plan_decode_splits(int kv_len, int window, int num_kv_splits, int tile_tokens);

/// Splits that decode is planned with: enough for the longest contexts, and fixed, so that a row's bits do not depend
/// on its neighbours.
inline constexpr int kPagedDecodeSplits = 16;

/// Whether one block for all query heads of a KV head is worth it: head_dim 256, 2 to 8 heads a KV head, and at least
/// four blocks a split.
bool prefers_grouped_decode(int num_tokens, int num_q_heads, int num_kv_heads, int head_dim);

/// Floats of the partial results of `rows` rows (tokens * num_q_heads * num_kv_splits): outs, maxima, sums.
constexpr std::int64_t paged_partial_floats(std::int64_t rows, int head_dim) { return rows * (head_dim + 2); }

}  // namespace offgrid::kernels
