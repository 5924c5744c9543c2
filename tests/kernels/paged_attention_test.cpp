// What kernels over paged caches ask of their arguments.
#include <offgrid/kernels/paged_attention.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "catch.h"

namespace offgrid::kernels {
namespace {

alignas(16) unsigned char memory[64];

// A call that is right, with the dense layout of 4 KV heads, head_dim 128 and pages of 16.
PagedAttentionParams right() {
  static std::int32_t index = 0;
  static float scale = 1;
  const std::int64_t page = 4 * 128 * 16;
  return {.q = memory,
          .key_cache = memory,
          .value_cache = memory + 16,
          .out = memory,
          .page_table = &index,
          .kv_lens = &index,
          .k_scale = &scale,
          .v_scale = &scale,
          .keys = packed_key_layout(page, 128, 16, 8),
          .values = plain_value_layout(page, 128, 16, 8),
          .num_tokens = 3,
          .num_requests = 2,
          .num_q_heads = 8,
          .num_kv_heads = 4,
          .page_size = 16,
          .pack = 8};
}

struct Change {
  const char* says;  // part of the message
  std::function<void(PagedAttentionParams&)> make;
};

TEST_CASE("PagedAttention.EveryWrongArgumentIsNamed") {
  const Change changes[] = {
      {"num_tokens is -1", [](auto& p) { p.num_tokens = -1; }},
      {"num_requests is -1", [](auto& p) { p.num_requests = -1; }},
      {"num_q_heads is 0", [](auto& p) { p.num_q_heads = 0; }},
      {"num_kv_heads is 3; it must divide num_q_heads, 8", [](auto& p) { p.num_kv_heads = 3; }},
      {"page_size is 0", [](auto& p) { p.page_size = 0; }},
      {"pack is 3; it must divide head_dim, 128", [](auto& p) { p.pack = 3; }},
      {"num_kv_splits is 0; it is 1 to 16", [](auto& p) { p.num_kv_splits = 0; }},
      {"num_kv_splits is 17; it is 1 to 16", [](auto& p) { p.num_kv_splits = 17; }},
      {"no request", [](auto& p) { p.num_requests = 0; }},
      {"one is null", [](auto& p) { p.page_table = nullptr; }},
      {"needs k_scale and v_scale", [](auto& p) { p.v_scale = nullptr; }},
  };
  CHECK_NOTHROW(check_paged_attention("decode", right(), PagedKvType::kInt8, 128));
  for (const Change& change : changes) {
    PagedAttentionParams p = right();
    change.make(p);
    CAPTURE(change.says);
    std::string message;
    try {
      check_paged_attention("decode", p, PagedKvType::kInt8, 128);
    } catch (const std::invalid_argument& error) {
      message = error.what();
    }
    CHECK(message.find(change.says) != std::string::npos);
    CHECK(message.starts_with("decode: "));
  }
}

TEST_CASE("PagedAttention.Fp16CacheNeedsNoScales") {
  PagedAttentionParams p = right();
  p.k_scale = p.v_scale = nullptr;
  CHECK_NOTHROW(check_paged_attention("decode", p, PagedKvType::kFp16, 128));
}

// Reading 16 bytes where a stride or a base is no multiple of 16 bytes is a fault on CUDA and wrong on none: so all of
// them are looked at, not only lane and slot strides.
TEST_CASE("PagedAttention.VectorLoadsNeedAlignedStridesAndBases") {
  const PagedKvType fp16 = PagedKvType::kFp16;
  CHECK(obstacle_to_vector_loads(right(), fp16).empty());
  CHECK(!obstacle_to_vector_loads(right(), PagedKvType::kInt8).empty());
  const Change changes[] = {
      {"pack is 4", [](auto& p) { p.pack = 4; }},
      {"page_size is 13", [](auto& p) { p.page_size = 13; }},
      {"lane stride of keys is 2", [](auto& p) { p.keys.lane_stride = 2; }},
      {"slot stride of values is 128", [](auto& p) { p.values.slot_stride = 128; }},
      {"stride is 8196", [](auto& p) { p.keys.page_stride = 8196; }},
      {"stride is 2049", [](auto& p) { p.keys.head_stride = 2049; }},
      {"stride is 130", [](auto& p) { p.keys.group_stride = 130; }},
      {"stride is 9", [](auto& p) { p.keys.slot_stride = 9; }},
      {"stride is 8193", [](auto& p) { p.values.page_stride = 8193; }},
      {"stride is 2050", [](auto& p) { p.values.head_stride = 2050; }},
      {"stride is 132", [](auto& p) { p.values.group_stride = 132; }},
      {"stride is 17", [](auto& p) { p.values.lane_stride = 17; }},
      {"key_cache is not aligned", [](auto& p) { p.key_cache = memory + 8; }},
      {"value_cache is not aligned", [](auto& p) { p.value_cache = memory + 2; }},
  };
  for (const Change& change : changes) {
    PagedAttentionParams p = right();
    change.make(p);
    CAPTURE(change.says);
    CHECK(obstacle_to_vector_loads(p, fp16).find(change.says) != std::string::npos);
  }
}

TEST_CASE("PagedAttention.StridesOfTheLayouts") {
  // head_dim 256, 4 KV heads, pages of 784: dense pages are 802,816 elements apart, hybrid ones twice that.
  CHECK(packed_key_layout(802'816, 256, 784, 8) == PagedCacheLayout{802'816, 200'704, 6272, 8, 1});
  CHECK(plain_value_layout(1'605'632, 256, 784, 8) == PagedCacheLayout{1'605'632, 200'704, 6272, 1, 784});
}

}  // namespace
}  // namespace offgrid::kernels
