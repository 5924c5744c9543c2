// See mla_decode_device.h.
#include "cases/mla_decode_device.h"

namespace offgrid::cases {
namespace {

using Dims = std::vector<gpu::BufferName::Dimension>;

// Names of dimensions are given only where memory is dense: they are what reports compute coordinates from.
Dims dense(const MlaDecodeCase& c, Dims dims) { return c.layout == Layout::kExact ? std::move(dims) : Dims{}; }

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

gpu::BufferName label(std::string name, std::string_view element, Dims dims) {
  return {std::move(name), std::string(element), std::move(dims)};
}

// One word an entry, or two of which the low one counts.
std::vector<std::int32_t> widened(std::span<const std::int32_t> entries, int words) {
  std::vector<std::int32_t> all;
  for (const std::int32_t entry : entries) {
    all.push_back(entry);
    if (words == 2) all.push_back(entry < 0 ? -1 : 0);
  }
  return all;
}

gpu::DeviceBuffer<float> scalar(const char* name, float value) {
  if (value == 0) return {};
  return {label(name, "fp32", {}), std::span<const float>(&value, 1)};
}

// An index tensor is described as 32-bit words where its entries have two.
gpu::DeviceBuffer<std::int32_t> indices(const char* name, Dims dims, std::span<const std::int32_t> entries, int words) {
  return {label(name, "int32", words == 1 ? std::move(dims) : Dims{}),
          std::span<const std::int32_t>(widened(entries, words))};
}

}  // namespace

MlaDecodeDevice::MlaDecodeDevice(const MlaDecodeCase& c, const MlaDecodeInputs& in)
    : index_words_(c.index == Index::kInt64 ? 2 : 1),
      variant_(c.variant()),
      plan_(c.plan()),
      q_("q", c.dtype,
         dense(c, {{"batch", size(c.batch())}, {"num_q_heads", size(c.heads)}, {"head_dim", size(c.head_dim)}}), in.q),
      kv_cache_("kv_cache", c.kv_dtype(),
                dense(c, {{"pages", size(in.layout.pages)},
                          {"page_size", size(c.page_size)},
                          {"num_kv_heads", size(c.kv_heads)},
                          {"head_dim", size(c.head_dim)}}),
                in.kv_cache),
      value_cache_("value_cache", c.kv_dtype(),
                   dense(c, {{"pages", size(in.layout.pages)},
                             {"page_size", size(c.page_size)},
                             {"num_kv_heads", size(c.kv_heads)},
                             {"value_dim", size(c.value_dim)}}),
                   in.value_cache),
      page_table_(indices("page_table",
                          dense(c, {{"batch", size(c.batch())}, {"max_pages", size(in.layout.max_pages)}}),
                          in.page_table, index_words_)),
      kv_lens_(indices("kv_lens", {{"batch", size(c.batch())}}, in.kv_lens, index_words_)),
      k_scale_(scalar("k_scale", c.k_scale)),
      v_scale_(scalar("v_scale", c.v_scale)),
      out_("out", c.dtype,
           dense(c, {{"batch", size(c.batch())}, {"num_q_heads", size(c.heads)}, {"value_dim", size(c.value_dim)}}),
           in.layout.out_count),
      lse_("lse", c.lse_dtype, dense(c, {{"batch", size(c.batch())}, {"num_q_heads", size(c.heads)}}),
           in.layout.lse_count),
      scratch_("scratch", kernels::DataType::kFp32,
               dense(c, {{"batch", size(c.batch())},
                         {"num_q_heads", size(c.heads)},
                         {"num_kv_splits", size(c.num_kv_splits)},
                         {"value_dim + lse", size(c.value_dim + 1)}}),
               in.layout.scratch_count) {
  const MlaDecodeLayout& l = in.layout;
  params_ = {.q = q_.data(),
             .kv_cache = kv_cache_.at(l.keys.first),
             .value_cache = value_cache_.at(l.values.first),
             .out = out_.data(),
             .lse = lse_.data(),
             .scratch = static_cast<float*>(scratch_.data()),
             .page_table = page_table_.data(),
             .kv_lens = kv_lens_.data(),
             .k_scale = k_scale_.data(),
             .v_scale = v_scale_.data(),
             .q_batch_stride = l.q_batch,
             .q_head_stride = l.q_head,
             .kv_page_stride = l.keys.page,
             .kv_token_stride = l.keys.token,
             .kv_head_stride = l.keys.head,
             .value_page_stride = l.values.page,
             .value_token_stride = l.values.token,
             .value_head_stride = l.values.head,
             .out_batch_stride = l.out_batch,
             .out_head_stride = l.out_head,
             .lse_batch_stride = l.lse_batch,
             .scratch_batch_stride = l.scratch_batch,
             .scratch_head_stride = l.scratch_head,
             .scratch_split_stride = l.scratch_split,
             .page_table_batch_stride = l.table_batch,
             .num_q_heads = c.heads,
             .num_kv_heads = c.kv_heads,
             .page_size = c.page_size,
             .num_kv_splits = c.num_kv_splits,
             .index_words = index_words_,
             .sm_scale = in.sm_scale,
             .logit_cap = c.logit_cap};
}

std::vector<std::int32_t> MlaDecodeDevice::words_of(std::span<const std::int32_t> entries) const {
  return widened(entries, index_words_);
}

void MlaDecodeDevice::upload(const MlaDecodeInputs& in) {
  q_.upload(in.q);
  kv_cache_.upload(in.kv_cache);
  value_cache_.upload(in.value_cache);
  set_page_table(in.page_table);
  set_kv_lens(in.kv_lens);
}

void MlaDecodeDevice::set_scales(float k_scale, float v_scale) {
  if (k_scale_.count() > 0) k_scale_.upload(std::span<const float>(&k_scale, 1));
  if (v_scale_.count() > 0) v_scale_.upload(std::span<const float>(&v_scale, 1));
}

void MlaDecodeDevice::poison() {
  out_.poison();
  lse_.poison();
  scratch_.poison();
  gpu::synchronize();  // whatever stream comes next
}

void MlaDecodeDevice::launch(kernels::DecodePath path, void* stream) {
  plan_.path = path;
  kernels::mla_decode(variant_, params_, plan_, stream);
}

MlaDecodeOutputs MlaDecodeDevice::run(kernels::DecodePath path) {
  poison();
  launch(path);
  gpu::synchronize();
  return outputs();
}

std::vector<std::uint32_t> gather_out(const MlaDecodeCase& c, const MlaDecodeLayout& l,
                                      const std::vector<std::uint32_t>& memory) {
  std::vector<std::uint32_t> logical;
  for (std::int64_t b = 0; b < c.batch(); ++b) {
    for (std::int64_t h = 0; h < c.heads; ++h) {
      const auto row = memory.begin() + b * l.out_batch + h * l.out_head;
      logical.insert(logical.end(), row, row + c.value_dim);
    }
  }
  return logical;
}

std::vector<std::uint32_t> gather_lse(const MlaDecodeCase& c, const MlaDecodeLayout& l,
                                      const std::vector<std::uint32_t>& memory) {
  std::vector<std::uint32_t> logical;
  for (std::int64_t b = 0; b < c.batch(); ++b) {
    const auto row = memory.begin() + b * l.lse_batch;
    logical.insert(logical.end(), row, row + c.heads);
  }
  return logical;
}

}  // namespace offgrid::cases
