/// Decode attention of one query token a row over a paged cache, in two stages or, with one split, in one: MLA (values
/// are the first columns of the keys), grouped heads and plain heads with values of their own.
#pragma once

#include <offgrid/kernels/data_type.h>
#include <offgrid/kernels/decode_plan.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace offgrid::kernels {

/// The one argument block of every decode kernel, the same on all paths: what a path does not need is passed and
/// ignored. Strides are in elements, and are taken as they are: nothing is rebuilt from sizes. T is the type of q and
/// out, Kv that of the caches.
struct MlaDecodeParams {
  const void* q = nullptr;            ///< T[batch, num_q_heads, head_dim], last stride 1
  const void* kv_cache = nullptr;     ///< Kv[pages, page_size, num_kv_heads, head_dim], last stride 1: the keys; in MLA
                                      ///< their first value_dim columns are the values
  const void* value_cache = nullptr;  ///< Kv[pages, page_size, num_kv_heads, value_dim], last stride 1; not read in MLA
  void* out = nullptr;                ///< T[batch, num_q_heads, value_dim], last stride 1
  void* lse = nullptr;                ///< Lse[batch, num_q_heads], head stride 1
  float* scratch = nullptr;           ///< float[batch, num_q_heads, num_kv_splits, value_dim + 1], last stride 1
  const std::int32_t* page_table = nullptr;  ///< integer[batch, pages a row], last stride 1; see index_words
  const std::int32_t* kv_lens = nullptr;     ///< integer[batch]; 0 or less: an empty or padded row
  const float* k_scale = nullptr;  ///< on the device, read by the kernel: an e4m3 key is code * scale; null: 1. Not
                                   ///< read with 16-bit caches
  const float* v_scale = nullptr;  ///< the same for values of their own; not read in MLA

  std::int64_t q_batch_stride = 0, q_head_stride = 0;
  std::int64_t kv_page_stride = 0, kv_token_stride = 0, kv_head_stride = 0;
  std::int64_t value_page_stride = 0, value_token_stride = 0, value_head_stride = 0;
  std::int64_t out_batch_stride = 0, out_head_stride = 0;
  std::int64_t lse_batch_stride = 0;
  std::int64_t scratch_batch_stride = 0, scratch_head_stride = 0, scratch_split_stride = 0;
  std::int64_t page_table_batch_stride = 0;

  std::int32_t num_q_heads = 0;
  std::int32_t num_kv_heads = 1;  ///< divides num_q_heads; query head h reads KV head h / (num_q_heads / num_kv_heads)
  std::int32_t page_size = 0;     ///< at least 1; need not be a power of two
  std::int32_t num_kv_splits = 1;
  std::int32_t index_words = 1;  ///< 32-bit words an entry of page_table and kv_lens: 1 for int32, 2 for int64, of
                                 ///< which the low word is read (so pages and lengths lie below 2^31)
  float sm_scale = 1;
  float logit_cap = 0;  ///< 0: off
};
static_assert(std::is_trivially_copyable_v<MlaDecodeParams> && std::is_standard_layout_v<MlaDecodeParams>);
static_assert(sizeof(MlaDecodeParams) == 10 * sizeof(void*) + 15 * 8 + 7 * 4 + 4,
              "kernel arguments have no hidden gaps");

/// What the caches hold.
enum class KvType {
  kLikeQuery,  ///< T
  kE4m3,       ///< OCP e4m3 (max 448), times a scale. InnerPath::kScalar: converted to fp32, multiplied, rounded to T,
               ///< then used as T. kTensorCore: codes are used as they are, exact in T, and the scale multiplies scores
               ///< and results, which is one rounding less an element
};

/// How the products are computed.
enum class InnerPath {
  kScalar,      ///< fused multiply-adds on every device
  kTensorCore,  ///< matrix units
};

/// Which instance of the kernels to run.
struct MlaDecodeVariant {
  DataType dtype = DataType::kBf16;      ///< T: of q and out
  DataType lse_dtype = DataType::kFp32;  ///< Lse: fp32, or T
  int head_dim = 576;                    ///< columns of a key; in MLA latent and rope
  int value_dim = 512;                   ///< columns of a value
  KvType kv_type = KvType::kLikeQuery;
  bool is_mla = true;
  InnerPath inner = InnerPath::kScalar;
  friend bool operator==(const MlaDecodeVariant&, const MlaDecodeVariant&) = default;

  DataType kv_dtype() const { return kv_type == KvType::kE4m3 ? DataType::kE4m3 : dtype; }
};

/// What the variants round, for error bounds: see reference/README.md "decode bound".
struct MlaDecodeArithmetic {
  int dot_depth;                    ///< longest chain of fp32 roundings in a dot product
  int tile_tokens;                  ///< tokens an online-softmax step takes in
  double unit = 0x1p-24;            ///< unit roundoff of the accumulation
  double probability_roundoff = 0;  ///< of the weights before they meet the values: 0 if they stay in fp32
};

/// Every variant that is built.
std::span<const MlaDecodeVariant> mla_decode_variants();

/// Why the variant cannot run on the current device; empty if it can.
/// errors  std::invalid_argument if the variant is not built; gpu::GpuError if the device cannot be asked
std::string mla_decode_obstacle(const MlaDecodeVariant& variant);

/// Heads that share keys (num_q_heads > num_kv_heads) run on another kernel than heads that do not.
/// errors  std::invalid_argument if the variant is not built
MlaDecodeArithmetic mla_decode_arithmetic(const MlaDecodeVariant& variant, bool heads_share_keys = true);

/// Queues the plan's launches on `stream` (a cudaStream_t or hipStream_t; null is the default stream).
///
/// shapes  see MlaDecodeParams; params.num_kv_splits == plan.num_kv_splits
/// units   lse is a natural log
/// laws    out and lse of every row are written, on both paths;  rows with kv_len <= 0 get out 0 and lse -inf, and
///         neither their page table nor any page is read for them;  slots, pages and table entries at or above kv_len
///         play no part;  the direct path equals two stages with one split bit for bit;  a row's bits depend on its own
///         tokens, kv_len and num_kv_splits only
/// errors  std::invalid_argument for a variant that is not built, or params that contradict the plan;
///         gpu::GpuError if a launch is refused.  An empty batch launches nothing
/// source  online softmax recurrence, reference/README.md "decode"
void mla_decode(const MlaDecodeVariant& variant, const MlaDecodeParams& params, const DecodePlan& plan,
                void* stream = nullptr);

}  // namespace offgrid::kernels
