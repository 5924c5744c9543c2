// The cache writers, and what they ask of their arguments.
#include <offgrid/kernels/paged_cache_writer.h>
#include <offgrid/portable/device.h>
#include <offgrid/portable/gpu.h>

#include <stdexcept>
#include <string>

#include "paged/write_cache.cuh"

namespace offgrid::kernels {
namespace {

void require(bool ok, const std::string& what) {
  if (!ok) throw std::invalid_argument("write_paged_cache: " + what);
}

void check(PagedKvType kv_type, const PagedWriteParams& p) {
  require(p.num_tokens >= 0, "num_tokens is " + std::to_string(p.num_tokens) + "; it is at least 0");
  require(p.num_kv_heads >= 1 && p.num_kv_heads <= 65'535,
          "num_kv_heads is " + std::to_string(p.num_kv_heads) + "; it is 1 to 65535");
  require(p.head_dim >= 1, "head_dim is " + std::to_string(p.head_dim) + "; it is at least 1");
  require(p.page_size >= 1, "page_size is " + std::to_string(p.page_size) + "; it is at least 1");
  require(p.pack >= 1 && p.head_dim % p.pack == 0,
          "pack is " + std::to_string(p.pack) + "; it must divide head_dim, " + std::to_string(p.head_dim));
  require(p.slot_words == 1 || p.slot_words == 2, "slot_mapping is int32 or int64, slot_words 1 or 2");
  require(p.num_tokens == 0 || (p.key != nullptr && p.value != nullptr && p.key_cache != nullptr &&
                                p.value_cache != nullptr && p.slot_mapping != nullptr),
          "key, value, both caches and slot_mapping are needed; one is null");
  require(kv_type == PagedKvType::kFp16 || p.num_tokens == 0 || (p.k_scale != nullptr && p.v_scale != nullptr),
          "a cache of codes needs k_scale and v_scale; one is null");
  require(kv_type != PagedKvType::kInt8 || p.head_dim == 128 || p.head_dim == 256,
          "int8 caches have a head_dim of 128 or 256, not " + std::to_string(p.head_dim));
}

void launch_int8(const PagedWriteParams& p, gpu::Stream on) {
  const dim3 grid(static_cast<unsigned>(p.num_tokens), static_cast<unsigned>(p.num_kv_heads));
  if (p.head_dim == 128) {
    paged_write_int8<128><<<grid, 128, 0, on>>>(p);
  } else {
    paged_write_int8<256><<<grid, 256, 0, on>>>(p);
  }
}

}  // namespace

void write_paged_cache(PagedKvType kv_type, const PagedWriteParams& params, void* stream) {
  check(kv_type, params);
  if (params.num_tokens == 0) return;
  const auto on = static_cast<gpu::Stream>(stream);
  const auto tokens = static_cast<unsigned>(params.num_tokens);
  switch (kv_type) {
    case PagedKvType::kFp16:
      paged_write<portable::Fp16><<<tokens, kWriteThreads, 0, on>>>(params);
      break;
    case PagedKvType::kE4m3:
      paged_write<portable::E4m3><<<tokens, kWriteThreads, 0, on>>>(params);
      break;
    case PagedKvType::kInt8:
      launch_int8(params, on);
      break;
  }
  gpu::check_launch("write_paged_cache");
}

}  // namespace offgrid::kernels
