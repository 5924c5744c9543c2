/// Merges of partial attention results that saw disjoint tokens: prefix and suffix, any number of states, and the two
/// forms of decode context parallelism (DCP), where each rank holds a part of every row's tokens.
///
/// A state is a row of outputs and its lse. An lse of -inf says that the state saw no token; +inf and NaN are read as
/// -inf. A state of weight 0 is skipped, not multiplied, so what it holds, NaN included, never reaches a result.
#pragma once

#include <offgrid/kernels/data_type.h>

#include <cstdint>
#include <span>
#include <type_traits>

namespace offgrid::kernels {

/// What lse is a logarithm to.
enum class LseBase : std::int32_t { kE, k2 };

/// Which instance of the kernels to run. Out is the type of outputs: T, or e4m3 (merge_attn_states alone).
struct MergeVariant {
  DataType dtype = DataType::kBf16;      ///< T: fp32, bf16 or fp16
  DataType lse_dtype = DataType::kFp32;  ///< Lse: fp32, or T
  DataType out_dtype = DataType::kBf16;
  friend bool operator==(const MergeVariant&, const MergeVariant&) = default;
};

std::span<const MergeVariant> merge_variants();

/// Strides are in elements, and each tensor has its own. The last dimension of outputs has stride 1.
struct MergeStatesParams {
  const void* states = nullptr;     ///< T[num_states, rows, heads, head_dim]
  const void* state_lse = nullptr;  ///< Lse[num_states, rows, heads]
  void* out = nullptr;              ///< T[rows, heads, head_dim]; may be one of the states
  void* lse = nullptr;              ///< Lse[rows, heads]; null: not wanted; does not overlap state_lse
  std::int64_t state_stride = 0, state_row_stride = 0, state_head_stride = 0;
  std::int64_t state_lse_stride = 0, state_lse_row_stride = 0, state_lse_head_stride = 0;
  std::int64_t out_row_stride = 0, out_head_stride = 0;
  std::int64_t lse_row_stride = 0, lse_head_stride = 0;
  std::int32_t num_states = 0, rows = 0, heads = 0, head_dim = 0;
  LseBase base = LseBase::kE;
};

/// The merge of num_states states; also the combine of DCP's all-to-all form, with heads / ranks heads a rank.
///
/// laws    one state gives itself, bit for bit;  no state, or empty ones alone, give 0 and -inf;  an empty state
/// changes
///         nothing, bit for bit;  two states commute bit for bit;  c added to every lse adds c to the result's
/// errors  std::invalid_argument for a variant that is not built or has another out_dtype, and for sizes below 0;
///         gpu::GpuError if the launch is refused. Nothing to write launches nothing
void merge_states(const MergeVariant& variant, const MergeStatesParams& params, void* stream = nullptr);

struct MergePairParams {
  const void* prefix = nullptr;       ///< T[tokens, heads, head_dim]
  const float* prefix_lse = nullptr;  ///< fp32[heads, tokens], token stride 1, base e
  const void* suffix = nullptr;       ///< the same
  const float* suffix_lse = nullptr;
  void* out = nullptr;               ///< Out[tokens, heads, head_dim]; may be prefix or suffix
  float* lse = nullptr;              ///< fp32[heads, tokens]; null: not wanted; does not overlap the inputs' lse
  const float* out_scale = nullptr;  ///< on the device: an e4m3 output is value / scale, clamped to +-448; null: 1
  std::int64_t prefix_token_stride = 0, prefix_head_stride = 0, prefix_lse_head_stride = 0;
  std::int64_t suffix_token_stride = 0, suffix_head_stride = 0, suffix_lse_head_stride = 0;
  std::int64_t out_token_stride = 0, out_head_stride = 0, lse_head_stride = 0;
  std::int32_t tokens = 0, heads = 0, head_dim = 0;
  std::int32_t prefix_tokens = 0;  ///< tokens below have a prefix; of the others the suffix is the result, as it is
};

/// The merge of a cached prefix and a suffix.
///
/// laws, errors  as merge_states
void merge_attn_states(const MergeVariant& variant, const MergePairParams& params, void* stream = nullptr);

struct DcpCorrectParams {
  const void* out = nullptr;       ///< T[rows, heads, head_dim]: what this rank has
  const void* rank_lse = nullptr;  ///< Lse[ranks, rows, heads]: gathered from all ranks
  void* corrected = nullptr;       ///< T[rows, heads, head_dim]; may be out
  void* lse = nullptr;             ///< Lse[rows, heads], of the merged result; null: not wanted
  std::int64_t out_row_stride = 0, out_head_stride = 0;
  std::int64_t rank_lse_stride = 0, rank_lse_row_stride = 0, rank_lse_head_stride = 0;
  std::int64_t corrected_row_stride = 0, corrected_head_stride = 0;
  std::int64_t lse_row_stride = 0, lse_head_stride = 0;
  std::int32_t ranks = 0, rank = 0, rows = 0, heads = 0, head_dim = 0;
  LseBase base = LseBase::kE;
};

/// DCP's all-gather form: multiplies a rank's output by its weight, so that the sum over the ranks (a reduce-scatter)
/// is the merge.
///
/// laws    a rank of weight 0 gives zeros, whatever it holds;  one rank with all tokens gives its output, bit for bit
/// errors  as merge_states; also for a rank that is not below ranks
void dcp_correct(const MergeVariant& variant, const DcpCorrectParams& params, void* stream = nullptr);

/// local[b] = dcp_local_kv_len(global[b], ...) (<offgrid/kernels/dcp.h>), on the device: a replayed graph sees the
/// lengths of its own time. index_words as in MlaDecodeParams, of both.
///
/// errors  std::invalid_argument unless interleave >= 1 and 0 <= rank < ranks; gpu::GpuError if the launch is refused
void dcp_local_kv_lens(const std::int32_t* global, std::int32_t* local, int batch, int index_words, int rank, int ranks,
                       int interleave, void* stream = nullptr);

static_assert(std::is_trivially_copyable_v<MergeStatesParams> && std::is_trivially_copyable_v<MergePairParams> &&
              std::is_trivially_copyable_v<DcpCorrectParams>);

}  // namespace offgrid::kernels
