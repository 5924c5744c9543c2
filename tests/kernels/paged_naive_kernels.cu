// See paged_naive_kernels.h.
#include <offgrid/kernels/paged_cache_writer.h>
#include <offgrid/portable/device.h>
#include <offgrid/portable/gpu.h>

#include "kernels/paged_naive_kernels.h"
#include "paged/combine.cuh"
#include "paged/decode.cuh"
#include "paged/write_cache.cuh"

namespace offgrid::naive {
namespace {

using kernels::PagedAttentionParams;
using portable::Fp16;

__global__ void block_maximum_kernel(const float* x, float* out) {
  __shared__ float s_parts[8], s_right[8];
  const int thread = static_cast<int>(threadIdx.x);
  const float part = portable::group_max<32>(x[thread]);
  if (thread % 32 == 0) s_parts[thread / 32] = part;
  __syncthreads();
  const float four = fmaxf(fmaxf(s_parts[0], s_parts[1]), fmaxf(s_parts[2], s_parts[3]));
  const float right = kernels::block_max<256>(x[thread], s_right, thread);
  if (thread != 0) return;
  out[0] = four;
  out[1] = right;
}

__global__ void e4m3_value_kernel(const unsigned char* code, float* out) {
  const int exponent = *code >> 3 & 15, mantissa = *code & 7;
  const float magnitude = exponent == 0 ? static_cast<float>(mantissa) * 0x1p-9f
                                        : ldexpf(1.0f + static_cast<float>(mantissa) / 8.0f, exponent - 7);
  out[0] = (*code & 0x80) != 0 ? -magnitude : magnitude;
  out[1] = portable::to_float(portable::E4m3{*code});
}

__global__ void page_offset_kernel(const std::int32_t* page, kernels::PagedCacheLayout layout, std::int64_t* out) {
  out[0] = static_cast<std::int32_t>(static_cast<unsigned>(*page) * static_cast<unsigned>(layout.page_stride));
  out[1] = kernels::slot_offset(layout, *page, 0, 0);
}

__global__ void score_kernel(const PagedAttentionParams p, float* out) {
  const kernels::RequestPages pages(p, 0);
  const Fp16* const q = static_cast<const Fp16*>(p.q);
  const Fp16* const key = static_cast<const Fp16*>(p.key_cache) + kernels::slot_offset(p.keys, pages.page(0), 0, 0);
  float naive = 0.0f, right = 0.0f;
  for (int d = 0; d < 128; d += 2) {
    const Fp16* const pair = key + d / p.pack * p.keys.group_stride + d % p.pack;
    naive = portable::dot2(q[d], q[d + 1], pair[0], pair[1], naive);
    right = portable::dot2(q[d], q[d + 1], key[kernels::dim_offset(p.keys, p.pack, d)],
                           key[kernels::dim_offset(p.keys, p.pack, d + 1)], right);
  }
  out[0] = naive;
  out[1] = right;
}

__global__ void divide_kernel(const float* acc, const float* sum, float* out) {
  out[threadIdx.x] = acc[threadIdx.x] / *sum;
}

__global__ void weigh_kernel(const Fp16* column, const float* weights, float* out, int count, bool guarded) {
  const kernels::HalfPack pack = *reinterpret_cast<const kernels::HalfPack*>(column);
  float sum = 0.0f;
  for (int j = 0; j < kernels::HalfPack::kSize; ++j) {
    if (guarded && j >= count) break;
    sum = fmaf(weights[j], portable::to_float(pack.v[j]), sum);
  }
  *out = sum;
}

void finish() {
  gpu::check_launch("naive kernel");
  gpu::synchronize();
}

}  // namespace

void block_maximum(const float* x, float* out) {
  block_maximum_kernel<<<1, 256>>>(x, out);
  finish();
}

void e4m3_value(const unsigned char* code, float* out) {
  e4m3_value_kernel<<<1, 1>>>(code, out);
  finish();
}

void page_offset(const std::int32_t* page, std::int64_t page_stride, std::int64_t* out) {
  kernels::PagedCacheLayout layout;
  layout.page_stride = page_stride;
  page_offset_kernel<<<1, 1>>>(page, layout, out);
  finish();
}

void combine_every_row(const PagedAttentionParams& p, int head_dim) {
  const dim3 grid(static_cast<unsigned>(p.num_tokens), static_cast<unsigned>(p.num_q_heads));
  if (head_dim == 128) {
    kernels::paged_combine<128><<<grid, 128>>>(p);
  } else {
    kernels::paged_combine<256><<<grid, 256>>>(p);
  }
  finish();
}

void decode_with_vector_loads(const PagedAttentionParams& p) {
  const dim3 grid(static_cast<unsigned>(p.num_tokens), static_cast<unsigned>(p.num_q_heads),
                  static_cast<unsigned>(p.num_kv_splits));
  kernels::paged_decode_split<Fp16, 128><<<grid, 128>>>(p, kernels::KvLoads::kVector);
  finish();
}

void score_of_first_key(const PagedAttentionParams& p, float* out) {
  score_kernel<<<1, 1>>>(p, out);
  finish();
}

void divide_by_sum(const float* acc, const float* sum, float* out, int count) {
  divide_kernel<<<1, static_cast<unsigned>(count)>>>(acc, sum, out);
  finish();
}

void weigh_slots(const unsigned short* column, const float* weights, float* out, int count, bool guarded) {
  weigh_kernel<<<1, 1>>>(reinterpret_cast<const Fp16*>(column), weights, out, count, guarded);
  finish();
}

}  // namespace offgrid::naive
