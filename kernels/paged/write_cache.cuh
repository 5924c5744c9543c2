// Cache writers: a token a block, or a token and KV head where a row is quantised as a whole.
#pragma once

#include <offgrid/kernels/paged_cache_writer.h>
#include <offgrid/portable/device.h>

#include "paged/pages.cuh"

namespace offgrid::kernels {

inline constexpr int kWriteThreads = 128;

// Where a token goes; page < 0: nowhere.
struct WriteSlot {
  std::int64_t page;
  int slot;
};
__device__ inline WriteSlot write_slot(const PagedWriteParams& p, int token) {
  const std::int64_t slot = p.slot_words == 2 ? static_cast<const std::int64_t*>(p.slot_mapping)[token]
                                              : static_cast<const std::int32_t*>(p.slot_mapping)[token];
  if (slot < 0) return {-1, 0};
  const std::int64_t page = slot / p.page_size;
  return {page < p.num_pages ? page : -1, static_cast<int>(slot % p.page_size)};
}

__device__ inline portable::Fp16 stored(portable::Fp16 x, float, portable::Fp16) { return x; }
__device__ inline portable::E4m3 stored(portable::Fp16 x, float scale, portable::E4m3) {
  return portable::from_float<portable::E4m3>(portable::to_float(x) / scale);
}

// Grid [num_tokens], kWriteThreads threads. Kv is Fp16 or E4m3.
template <class Kv>
__global__ void __launch_bounds__(kWriteThreads) paged_write(const PagedWriteParams p) {
  const int token = static_cast<int>(blockIdx.x);
  const WriteSlot to = write_slot(p, token);
  if (to.page < 0) return;
  const bool scaled = sizeof(Kv) == 1;
  const float k_scale = scaled ? *p.k_scale : 1.0f, v_scale = scaled ? *p.v_scale : 1.0f;
  const portable::Fp16* const key = static_cast<const portable::Fp16*>(p.key) + token * p.key_token_stride;
  const portable::Fp16* const value = static_cast<const portable::Fp16*>(p.value) + token * p.value_token_stride;
  for (int i = static_cast<int>(threadIdx.x); i < p.num_kv_heads * p.head_dim; i += kWriteThreads) {
    const int head = i / p.head_dim, d = i % p.head_dim;
    static_cast<Kv*>(p.key_cache)[slot_offset(p.keys, to.page, head, to.slot) + dim_offset(p.keys, p.pack, d)] =
        stored(key[i], k_scale, Kv{});
    static_cast<Kv*>(p.value_cache)[slot_offset(p.values, to.page, head, to.slot) + dim_offset(p.values, p.pack, d)] =
        stored(value[i], v_scale, Kv{});
  }
}

// The largest of `value` over a block of kThreads: every warp's part counts, and no part is overwritten while others
// read. `parts` is not to be used again before a barrier.
template <int kThreads>
__device__ inline float block_max(float value, float* parts, int thread) {
  value = portable::group_max<32>(value);
  if (thread % 32 == 0) parts[thread / 32] = value;
  __syncthreads();
  float largest = parts[0];
#pragma unroll
  for (int i = 1; i < kThreads / 32; ++i) largest = fmaxf(largest, parts[i]);
  return largest;
}

struct Quantised {
  float scale;
  std::int8_t code;
};

// x of one thread, quantised with the scale of the block's row.
template <int kThreads>
__device__ inline Quantised quantise_row(float x, float* parts, int thread) {
  const bool finite = (portable::float_bits(x) & 0x7f800000u) != 0x7f800000u;
  const float largest = block_max<kThreads>(finite ? fabsf(x) : -portable::minus_infinity(), parts, thread);
  if (largest == -portable::minus_infinity()) return {portable::quiet_nan(), 0};
  const float scale = fmaxf(largest / 127.0f, 1e-6f);
  const float code = fminf(fmaxf(rintf(x / scale), -127.0f), 127.0f);
  return {scale, static_cast<std::int8_t>(static_cast<int>(code))};
}

// Grid [num_tokens, num_kv_heads], kHeadDim threads.
template <int kHeadDim>
__global__ void __launch_bounds__(kHeadDim) paged_write_int8(const PagedWriteParams p) {
  __shared__ float s_parts[2][kHeadDim / 32];
  const int token = static_cast<int>(blockIdx.x), head = static_cast<int>(blockIdx.y);
  const int d = static_cast<int>(threadIdx.x);
  const WriteSlot to = write_slot(p, token);
  if (to.page < 0) return;
  const int i = head * kHeadDim + d;
  const Quantised key = quantise_row<kHeadDim>(
      portable::to_float(static_cast<const portable::Fp16*>(p.key)[token * p.key_token_stride + i]), s_parts[0], d);
  const Quantised value = quantise_row<kHeadDim>(
      portable::to_float(static_cast<const portable::Fp16*>(p.value)[token * p.value_token_stride + i]), s_parts[1], d);
  static_cast<std::int8_t*>(p.key_cache)[slot_offset(p.keys, to.page, head, to.slot) + dim_offset(p.keys, p.pack, d)] =
      key.code;
  static_cast<std::int8_t*>(
      p.value_cache)[slot_offset(p.values, to.page, head, to.slot) + dim_offset(p.values, p.pack, d)] = value.code;
  if (d != 0) return;
  p.k_scale[scale_offset(p.k_scales, to.page, head, to.slot)] = key.scale;
  p.v_scale[scale_offset(p.v_scales, to.page, head, to.slot)] = value.scale;
}

}  // namespace offgrid::kernels
