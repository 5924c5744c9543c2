// The parameters of one decode case. A row of the tables (mla_decode_table*.cpp) is one of these.
#pragma once

#include <offgrid/kernels/mla_decode.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace offgrid::cases {

/// What q and the caches hold.
enum class Values {
  kNormal,         ///< independent, about N(0, 1)
  kZeroQuery,      ///< q = 0: out is the mean of the values, lse is ln(kv_len)
  kZeroKeys,       ///< keys are 0, values are not (values of their own only)
  kOneValues,      ///< values are 1 (values of their own only): out is 1
  kEqualKeys,      ///< every token the same
  kRising,         ///< each token's score above the one before: the maximum moves at every tile
  kDominant,       ///< one token holds nearly all the weight
  kHuge,           ///< logits around +-1e4 to +-6e4
  kVeryLow,        ///< every logit near -6e4, below any finite sentinel
  kMinusInfinity,  ///< the first 40 tokens of every row score -inf, by an infinity in their last column
  kNegativeZero,   ///< out is -0 in fp32: tiny negative values of tiny weight
  kNanToken,       ///< one NaN in a token of the last row: that row, and no other, is NaN
  kInfToken,       ///< one +inf in a token of the last row
  kNanQuery,       ///< one NaN in the query of the last row's last head: that head, and no other, is NaN
  kInfQuery,       ///< one +inf there
  kAllCodes,       ///< caches hold every finite code of their type in turn (e4m3 caches only); queries are small
};

/// How tensors lie in memory.
enum class Layout {
  kExact,     ///< dense
  kInflated,  ///< gaps in every stride, filled with poison; pages as in a cache shared by three layers
};

enum class Pages {
  kShuffled,  ///< every page once, in random order
  kShared,    ///< neighbouring rows share the pages of their common prefix
  kRepeated,  ///< random pages of a small pool, so that rows and places share them
};

/// What page_table and kv_lens are made of.
enum class Index { kInt32, kInt64 };

struct MlaDecodeCase {
  kernels::DataType dtype = kernels::DataType::kBf16;
  kernels::DataType lse_dtype = kernels::DataType::kFp32;
  kernels::KvType kv_type = kernels::KvType::kLikeQuery;
  bool is_mla = true;
  kernels::InnerPath inner = kernels::InnerPath::kScalar;
  int head_dim = 576, value_dim = 512;
  int heads = 16;
  int kv_heads = 1;
  std::vector<int> kv_lens{};
  int page_size = 16;
  int num_kv_splits = 1;
  bool direct = false;  ///< ask for direct output; with one split it is then compared to two stages bit for bit
  Values values = Values::kNormal;
  Layout layout = Layout::kExact;
  Pages pages = Pages::kShuffled;
  Index index = Index::kInt32;
  float k_scale = 0, v_scale = 0;  ///< on the device; 0: no scale is passed
  float logit_cap = 0;
  int capacity = 0;  ///< tokens that planning and memory allow every row; 0: the longest of kv_lens
  std::uint64_t seed = 1;
  bool in_demo = false;
  bool is_long = false;  ///< only with `offgrid run --long`

  kernels::MlaDecodeVariant variant() const {
    return {.dtype = dtype,
            .lse_dtype = lse_dtype,
            .head_dim = head_dim,
            .value_dim = value_dim,
            .kv_type = kv_type,
            .is_mla = is_mla,
            .inner = inner};
  }
  kernels::DataType kv_dtype() const { return variant().kv_dtype(); }
  int batch() const { return static_cast<int>(kv_lens.size()); }

  /// What planning decides for this case.
  kernels::DecodePlan plan() const;

  /// "mla_decode(dtype=bf16,heads=16,kv_len=1+17,page_size=16,num_kv_splits=4)": the usual parameters always, the
  /// others where they differ from the defaults; gqa_decode with values of their own. Different cases have different
  /// names.
  std::string name() const;
};

/// The case as a variant of it: "path=two_stage" or "path=direct", "inner=scalar" or "inner=tensor_core",
/// "num_kv_splits=4", "index=int64", "lse=fp32", joined by commas. The inputs stay what they are.
///
/// errors  std::invalid_argument for other names and values
MlaDecodeCase variant_of(MlaDecodeCase c, std::string_view variant);

/// Lengths joined by '+'; runs of one length as 129x3.
std::string lengths_text(const std::vector<int>& kv_lens);

/// The table: small shapes through every edge first, then model geometries.
const std::vector<MlaDecodeCase>& mla_decode_table();

}  // namespace offgrid::cases
