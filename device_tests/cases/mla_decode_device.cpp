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

}  // namespace

MlaDecodeDevice::MlaDecodeDevice(const MlaDecodeCase& c, const MlaDecodeInputs& in)
    : variant_(c.variant()),
      plan_(c.plan()),
      q_(label("q", name_of(c.dtype),
               dense(c, {{"batch", size(c.batch())}, {"num_q_heads", size(c.heads)}, {"head_dim", size(c.head_dim)}})),
         std::span<const std::uint16_t>(in.q)),
      kv_cache_(label("kv_cache", name_of(c.dtype),
                      dense(c, {{"pages", size(in.layout.pages)},
                                {"page_size", size(c.page_size)},
                                {"head_dim", size(c.head_dim)}})),
                std::span<const std::uint16_t>(in.kv_cache)),
      page_table_(label("page_table", "int32",
                        dense(c, {{"batch", size(c.batch())}, {"max_pages", size(in.layout.max_pages)}})),
                  std::span<const std::int32_t>(in.page_table)),
      kv_lens_(label("kv_lens", "int32", {{"batch", size(c.batch())}}), std::span<const std::int32_t>(in.kv_lens)),
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
             .kv_cache = kv_cache_.data() == nullptr ? nullptr : kv_cache_.data() + l.kv_first,
             .out = out_.data(),
             .lse = lse_.data(),
             .scratch = static_cast<float*>(scratch_.data()),
             .page_table = page_table_.data(),
             .kv_lens = kv_lens_.data(),
             .q_batch_stride = l.q_batch,
             .q_head_stride = l.q_head,
             .kv_page_stride = l.kv_page,
             .kv_token_stride = l.kv_token,
             .out_batch_stride = l.out_batch,
             .out_head_stride = l.out_head,
             .lse_batch_stride = l.lse_batch,
             .scratch_batch_stride = l.scratch_batch,
             .scratch_head_stride = l.scratch_head,
             .scratch_split_stride = l.scratch_split,
             .page_table_batch_stride = l.table_batch,
             .num_q_heads = c.heads,
             .page_size = c.page_size,
             .num_kv_splits = c.num_kv_splits,
             .sm_scale = in.sm_scale,
             .logit_cap = c.logit_cap};
}

MlaDecodeOutputs MlaDecodeDevice::run(kernels::DecodePath path) {
  out_.poison();
  lse_.poison();
  scratch_.poison();
  plan_.path = path;
  kernels::mla_decode(variant_, params_, plan_);
  gpu::synchronize();
  return {out_.codes(), lse_.codes(), scratch_.codes()};
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
