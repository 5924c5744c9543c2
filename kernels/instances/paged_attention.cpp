// What all kernels over paged caches ask of their arguments, before anything is queued.
#include <offgrid/kernels/paged_attention.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace offgrid::kernels {
namespace {

// "prefill: num_kv_heads is 3 and num_q_heads 8; it must divide it"
void require(bool ok, const char* operation, const std::string& what) {
  if (!ok) throw std::invalid_argument(std::string(operation) + ": " + what);
}

std::string text(const char* name, std::int64_t value) { return std::string(name) + " is " + std::to_string(value); }

bool is_multiple_of_16(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0; }

}  // namespace

void check_paged_attention(const char* operation, const PagedAttentionParams& p, PagedKvType kv_type, int head_dim) {
  const auto need = [operation](bool ok, const std::string& what) { require(ok, operation, what); };
  need(p.num_tokens >= 0, text("num_tokens", p.num_tokens) + "; it is at least 0");
  need(p.num_requests >= 0, text("num_requests", p.num_requests) + "; it is at least 0");
  need(p.num_q_heads >= 1, text("num_q_heads", p.num_q_heads) + "; it is at least 1");
  need(p.num_kv_heads >= 1 && p.num_q_heads % p.num_kv_heads == 0,
       text("num_kv_heads", p.num_kv_heads) + "; it must divide num_q_heads, " + std::to_string(p.num_q_heads));
  need(p.page_size >= 1, text("page_size", p.page_size) + "; it is at least 1");
  need(p.pack >= 1 && head_dim % p.pack == 0,
       text("pack", p.pack) + "; it must divide head_dim, " + std::to_string(head_dim));
  need(p.num_kv_splits >= 1 && p.num_kv_splits <= 16, text("num_kv_splits", p.num_kv_splits) + "; it is 1 to 16");
  need(p.num_tokens == 0 || p.num_requests > 0, "there are tokens and no request; pass num_requests");
  need(p.num_tokens == 0 || (p.q != nullptr && p.out != nullptr && p.key_cache != nullptr && p.value_cache != nullptr &&
                             p.page_table != nullptr && p.kv_lens != nullptr),
       "q, key_cache, value_cache, out, page_table and kv_lens are needed; one is null");
  need(kv_type == PagedKvType::kFp16 || p.num_tokens == 0 || (p.k_scale != nullptr && p.v_scale != nullptr),
       "a cache of codes needs k_scale and v_scale; one is null");
}

std::string obstacle_to_vector_loads(const PagedAttentionParams& p, PagedKvType kv_type) {
  if (kv_type != PagedKvType::kFp16) return "the cache is not fp16";
  if (p.pack != 8) return text("pack", p.pack) + ", not 8";
  if (p.page_size % 8 != 0) return text("page_size", p.page_size) + ", no multiple of 8";
  if (p.keys.lane_stride != 1) return text("the lane stride of keys", p.keys.lane_stride) + ", not 1";
  if (p.values.slot_stride != 1) return text("the slot stride of values", p.values.slot_stride) + ", not 1";
  for (const std::int64_t stride :
       {p.keys.page_stride, p.keys.head_stride, p.keys.group_stride, p.keys.slot_stride, p.values.page_stride,
        p.values.head_stride, p.values.group_stride, p.values.lane_stride}) {
    if (stride % 8 != 0) return text("a stride", stride) + ", no multiple of 8";
  }
  if (!is_multiple_of_16(p.key_cache)) return "key_cache is not aligned to 16 bytes";
  if (!is_multiple_of_16(p.value_cache)) return "value_cache is not aligned to 16 bytes";
  return "";
}

}  // namespace offgrid::kernels
