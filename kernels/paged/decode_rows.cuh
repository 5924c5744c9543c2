// Which request a decode row belongs to, how many keys it sees, and which of them belong to a split.
#pragma once

#include <offgrid/kernels/paged_attention.h>
#include <offgrid/portable/device.h>

namespace offgrid::kernels {

struct DecodeRow {
  int request;
  int kv_len;  // keys at positions below it are seen; 0 or less: none
};

// Without cu_query_lens row t is request t. With it, the request is the last one that starts at or before the row, so
// that requests of no tokens are stepped over; rows behind all requests see nothing.
__device__ inline DecodeRow decode_row(const PagedAttentionParams& p, int token) {
  if (p.cu_query_lens == nullptr) return {token, p.kv_lens[token]};
  int low = 0, high = p.num_requests;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (p.cu_query_lens[middle] <= token) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const int end = p.cu_query_lens[low + 1];
  return {low, token < end ? p.kv_lens[low] - (end - 1 - token) : 0};
}

// Keys of one split, whole tiles but for the last: splits start at a multiple of `tile`, the first one at the tile of
// the window's first key. Empty if end <= begin.
struct DecodeSplit {
  int begin, end;
  int first_visible;  // keys before it are outside the window
};
__device__ inline DecodeSplit decode_split(int kv_len, int window, int num_kv_splits, int split, int tile) {
  const int first = window > 0 && kv_len > window ? kv_len - window : 0;
  const int low = first / tile * tile;
  const long long keys = kv_len - low;
  const long long a_split = ((keys + num_kv_splits - 1) / num_kv_splits + tile - 1) / tile * tile;
  const long long begin = low + split * a_split;
  const long long end = begin + a_split;
  return {static_cast<int>(begin < kv_len ? begin : kv_len), static_cast<int>(end < kv_len ? end : kv_len), first};
}

// The place of a row's partial results.
__device__ inline std::int64_t partial_slot(const PagedAttentionParams& p, int token, int head, int split) {
  return (std::int64_t{token} * p.num_q_heads + head) * p.num_kv_splits + split;
}

}  // namespace offgrid::kernels
