// See paged_device.h.
#include "cases/paged_device.h"

#include <span>

namespace offgrid::cases {
namespace {

using kernels::PagedKvType;

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

}  // namespace

kernels::PagedCacheLayout key_layout_of(const PagedMemory& m) {
  auto layout = kernels::packed_key_layout(m.page / m.element, m.head_dim, m.page_size, m.pack);
  layout.head_stride = m.head / m.element;  // rows of scales come between the heads of int8 caches
  return layout;
}

kernels::PagedCacheLayout value_layout_of(const PagedMemory& m) {
  auto layout = kernels::plain_value_layout(m.page / m.element, m.head_dim, m.page_size, m.pack);
  layout.head_stride = m.head / m.element;
  return layout;
}

kernels::PagedScaleLayout scale_layout_of(const PagedMemory& m, PagedKvType kv_type) {
  if (kv_type != PagedKvType::kInt8) return {};
  return {m.page / 4, m.head / 4, 1};
}

PagedDevice::PagedDevice(const PagedCase& c, const PagedInputs& in, bool with_partials)
    : in_place_(c.in_place),
      q_codes_(in.q),
      q_({"q", "fp16", {{"tokens", size(c.num_tokens())}, {"row", size(in.q_token)}}}, std::span(in.q)),
      out_({"out", "fp16", {{"tokens", size(c.num_tokens())}, {"row", size(in.out_token)}}},
           c.in_place ? 0 : size(in.out_count)),
      cache_({"cache", "byte", {}}, std::span(in.cache)),
      page_table_({"page_table", "int32", {{"requests", in.kv_lens.size()}, {"pages", size(in.table_stride)}}},
                  std::span(in.page_table)),
      kv_lens_({"kv_lens", "int32", {{"requests", in.kv_lens.size()}}}, std::span(in.kv_lens)),
      cu_query_lens_({"cu_query_lens", "int32", {}}, std::span(in.cu_query_lens)) {
  const std::size_t slots = with_partials ? size(std::int64_t{c.num_tokens()} * c.heads * c.num_kv_splits) : 0;
  partial_out_ = {{"partial_out", "fp32", {}}, slots * size(c.head_dim)};
  partial_max_ = {{"partial_max", "fp32", {}}, slots};
  partial_sum_ = {{"partial_sum", "fp32", {}}, slots};
  if (c.kv_type == PagedKvType::kE4m3) {
    const float scales[] = {in.k_scale, in.v_scale};
    scales_ = {{"scales", "fp32", {}}, std::span<const float>(scales)};
  }
  const PagedMemory& m = in.memory;
  std::uint8_t* const keys = cache_.data() == nullptr ? nullptr : cache_.data() + m.first;
  std::uint8_t* const values = keys == nullptr ? nullptr : keys + m.key_to_value;
  params_ = {.q = q_.data(),
             .key_cache = keys,
             .value_cache = values,
             .out = in_place_ ? q_.data() : out_.data(),
             .partial_out = partial_out_.data(),
             .partial_max = partial_max_.data(),
             .partial_sum = partial_sum_.data(),
             .page_table = page_table_.data(),
             .kv_lens = kv_lens_.data(),
             .cu_query_lens = cu_query_lens_.data(),
             .q_token_stride = in.q_token,
             .q_head_stride = in.q_head,
             .out_token_stride = in.out_token,
             .out_head_stride = in.out_head,
             .page_table_stride = in.table_stride,
             .keys = key_layout_of(m),
             .values = value_layout_of(m),
             .k_scales = scale_layout_of(m, c.kv_type),
             .v_scales = scale_layout_of(m, c.kv_type),
             .num_tokens = c.num_tokens(),
             .num_requests = static_cast<std::int32_t>(in.kv_lens.size()),
             .num_q_heads = c.heads,
             .num_kv_heads = c.kv_heads,
             .page_size = c.page_size,
             .pack = c.pack(),
             .num_kv_splits = c.num_kv_splits,
             .window = c.window,
             .causal = c.causal ? 1 : 0,
             .sm_scale = c.scale()};
  if (c.kv_type == PagedKvType::kE4m3) {
    params_.k_scale = scales_.data();
    params_.v_scale = scales_.data() + 1;
  }
  if (c.kv_type == PagedKvType::kInt8) {
    const std::int64_t to_scales = std::int64_t{c.head_dim} * c.page_size;
    params_.k_scale = reinterpret_cast<const float*>(keys + to_scales);
    params_.v_scale = reinterpret_cast<const float*>(values + to_scales);
  }
}

void PagedDevice::poison() {
  if (in_place_) {
    q_.upload(std::span<const std::uint16_t>(q_codes_));
  } else {
    out_.fill(0xFF);
  }
  for (auto* partials : {&partial_out_, &partial_max_, &partial_sum_}) partials->fill(0xFF);
  gpu::synchronize();
}

PagedOutputs PagedDevice::outputs() const {
  return {in_place_ ? q_.download() : out_.download(), partial_out_.download(), partial_max_.download(),
          partial_sum_.download(), cache_.download()};
}

}  // namespace offgrid::cases
