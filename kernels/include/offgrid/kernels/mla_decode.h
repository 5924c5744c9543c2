/// MLA decode: attention of one query token a row over a paged latent cache, in two stages or, with one split, in one.
#pragma once

#include <offgrid/kernels/data_type.h>
#include <offgrid/kernels/decode_plan.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace offgrid::kernels {

/// The one argument block of every MLA decode kernel, the same on all paths: what the direct path does not need is
/// passed and ignored. Strides are in elements, and are taken as they are: nothing is rebuilt from sizes.
struct MlaDecodeParams {
  const void* q = nullptr;  ///< T[batch, num_q_heads, head_dim], last stride 1
  const void* kv_cache =
      nullptr;               ///< T[pages, page_size, head_dim], last stride 1; values are the first value_dim columns
  void* out = nullptr;       ///< T[batch, num_q_heads, value_dim], last stride 1
  void* lse = nullptr;       ///< Lse[batch, num_q_heads], head stride 1
  float* scratch = nullptr;  ///< float[batch, num_q_heads, num_kv_splits, value_dim + 1], last stride 1
  const std::int32_t* page_table = nullptr;  ///< int32[batch, pages a row], last stride 1
  const std::int32_t* kv_lens = nullptr;     ///< int32[batch]; 0 or less: an empty or padded row

  std::int64_t q_batch_stride = 0, q_head_stride = 0;
  std::int64_t kv_page_stride = 0, kv_token_stride = 0;
  std::int64_t out_batch_stride = 0, out_head_stride = 0;
  std::int64_t lse_batch_stride = 0;
  std::int64_t scratch_batch_stride = 0, scratch_head_stride = 0, scratch_split_stride = 0;
  std::int64_t page_table_batch_stride = 0;

  std::int32_t num_q_heads = 0;
  std::int32_t page_size = 0;  ///< at least 1; need not be a power of two
  std::int32_t num_kv_splits = 1;
  float sm_scale = 1;
  float logit_cap = 0;  ///< 0: off
};
static_assert(std::is_trivially_copyable_v<MlaDecodeParams> && std::is_standard_layout_v<MlaDecodeParams>);
static_assert(sizeof(MlaDecodeParams) == 7 * sizeof(void*) + 11 * 8 + 5 * 4 + 4,
              "kernel arguments have no hidden gaps");

/// Which instance of the kernels to run.
struct MlaDecodeVariant {
  DataType dtype = DataType::kBf16;      ///< T: of q, cache and out
  DataType lse_dtype = DataType::kFp32;  ///< Lse: fp32, or T
  int head_dim = 576;                    ///< latent and rope columns
  int value_dim = 512;                   ///< latent columns
  friend bool operator==(const MlaDecodeVariant&, const MlaDecodeVariant&) = default;
};

/// What the variants round, for error bounds: see reference/README.md "decode bound".
struct MlaDecodeArithmetic {
  int dot_depth;    ///< longest chain of fp32 roundings in a dot product
  int tile_tokens;  ///< tokens an online-softmax step takes in
};

/// Every variant that is built.
std::span<const MlaDecodeVariant> mla_decode_variants();

/// errors  std::invalid_argument if the variant is not built
MlaDecodeArithmetic mla_decode_arithmetic(const MlaDecodeVariant& variant);

/// Queues the plan's launches on `stream` (a cudaStream_t or hipStream_t; null is the default stream).
///
/// shapes  see MlaDecodeParams; params.num_kv_splits == plan.num_kv_splits
/// units   lse is a natural log
/// laws    out and lse of every row are written, on both paths;  rows with kv_len <= 0 get out 0 and lse -inf, and
/// neither
///         their page table nor any page is read for them;  slots, pages and table entries at or above kv_len play no
///         part; the direct path equals two stages with one split bit for bit;  a row's bits depend on its own tokens,
///         kv_len and num_kv_splits only
/// errors  std::invalid_argument for a variant that is not built, or params that contradict the plan;
///         gpu::GpuError if a launch is refused.  An empty batch launches nothing
/// source  online softmax recurrence, reference/README.md "decode"
void mla_decode(const MlaDecodeVariant& variant, const MlaDecodeParams& params, const DecodePlan& plan,
                void* stream = nullptr);

}  // namespace offgrid::kernels
