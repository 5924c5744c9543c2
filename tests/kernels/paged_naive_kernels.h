// Mistakes that kernels over paged caches have been seen to make, each as small as it gets. The right forms beside them
// are those of kernels/paged/.
#pragma once

#include <offgrid/kernels/paged_attention.h>

#include <cstdint>

namespace offgrid::naive {

/// x: float[256]; out: [the maximum by a reduction that looks at four warps, the right one].
void block_maximum(const float* x, float* out);

/// code: e4m3[1]; out: [its value by arithmetic on exponent and mantissa alone, the right one].
void e4m3_value(const unsigned char* code, float* out);

/// out: [offset of a page from 32-bit arithmetic, the right one], for the page number in `page`.
void page_offset(const std::int32_t* page, std::int64_t page_stride, std::int64_t* out);

/// Combines partial results for every row up to num_tokens, also those behind the last request.
void combine_every_row(const kernels::PagedAttentionParams& p, int head_dim);

/// Decode with 16-byte reads, whatever strides and bases are.
void decode_with_vector_loads(const kernels::PagedAttentionParams& p);

/// Score of one query and key, reading pairs of neighbouring dimensions as if they were neighbours in memory.
/// out: [that score, the right one].
void score_of_first_key(const kernels::PagedAttentionParams& p, float* out);

/// out[d] = acc[d] / sum for a row that may have seen nothing.
void divide_by_sum(const float* acc, const float* sum, float* out, int count);

/// out: the weighted sum of eight neighbouring slots of a value column, two of which have weight 0; `guarded` leaves
/// those out.
void weigh_slots(const unsigned short* column, const float* weights, float* out, int count, bool guarded);

}  // namespace offgrid::naive
