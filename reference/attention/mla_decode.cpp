// The truth: gather, scores, softmax, weighted mean. See <offgrid/reference/mla_decode.h>.
#include <algorithm>
#include <stdexcept>

#include "attention/mla_rows.h"

namespace offgrid::reference {

void check_shapes(const MlaDecodeProblem& p) {
  const std::int64_t batch = p.q.size(0);
  const auto require = [](bool ok, const char* what) {
    if (!ok) throw std::invalid_argument(what);
  };
  require(p.q.dims().size() == 3 && p.kv_cache.dims().size() == 3, "q and kv_cache have three dimensions each");
  require(p.q.size(2) == p.kv_cache.size(2), "q and kv_cache differ in head_dim");
  require(p.value_dim >= 1 && p.value_dim <= p.q.size(2), "value_dim lies in 1..head_dim");
  require(static_cast<std::int64_t>(p.kv_lens.size()) == batch, "one kv_len a row");
  require(static_cast<std::int64_t>(p.page_table.size()) == batch * p.max_pages, "page_table is [batch, max_pages]");
  const std::int64_t page_size = p.kv_cache.size(1);
  for (std::int64_t b = 0; b < batch; ++b) {
    const std::int64_t pages = (std::max(p.kv_lens[static_cast<std::size_t>(b)], 0) + page_size - 1) / page_size;
    require(pages <= p.max_pages, "a row is longer than its part of the page table");
    for (std::int64_t i = 0; i < pages; ++i) {
      const std::int64_t page = p.page_table[static_cast<std::size_t>(b * p.max_pages + i)];
      if (page < 0 || page >= p.kv_cache.size(0))
        throw std::out_of_range("page_table names a page that does not exist");
    }
  }
}

Matrix gather_keys(const MlaDecodeProblem& p, std::int64_t b) {
  const int kv_len = std::max(p.kv_lens[static_cast<std::size_t>(b)], 0);
  const std::int64_t page_size = p.kv_cache.size(1);
  Matrix keys(kv_len, p.q.size(2));
  for (std::int64_t n = 0; n < kv_len; ++n) {
    const std::int64_t page = p.page_table[static_cast<std::size_t>(b * p.max_pages + n / page_size)];
    const auto row = p.kv_cache.row({page, n % page_size});
    std::copy(row.begin(), row.end(), keys.row(n).data());
  }
  return keys;
}

Vector query(const MlaDecodeProblem& p, std::int64_t b, std::int64_t head) {
  const auto row = p.q.row({b, head});
  return Eigen::Map<const Vector>(row.data(), static_cast<Eigen::Index>(row.size()));
}

MlaDecodeResult mla_decode(const MlaDecodeProblem& p) {
  check_shapes(p);
  const std::int64_t batch = p.q.size(0);
  const std::int64_t heads = p.q.size(1);
  MlaDecodeResult result{Tensor({{"batch", batch}, {"num_q_heads", heads}, {"value_dim", p.value_dim}}),
                         Tensor({{"batch", batch}, {"num_q_heads", heads}})};
  for_each_row(batch, [&](std::int64_t b) {
    const Matrix keys = gather_keys(p, b);
    for (std::int64_t h = 0; h < heads; ++h) {
      const State state = attend(scores(query(p, b, h), keys, p.sm_scale, p.logit_cap), keys.leftCols(p.value_dim));
      std::copy(state.out.begin(), state.out.end(), result.out.row({b, h}).begin());
      result.lse.at({b, h}) = state.lse;
    }
  });
  return result;
}

}  // namespace offgrid::reference
