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
  const std::size_t rank = p.kv_cache.dims().size();
  require(p.q.dims().size() == 3 && (rank == 3 || rank == 4), "q has three dimensions, kv_cache three or four");
  require(p.q.size(2) == p.kv_cache.size(rank - 1), "q and kv_cache differ in head_dim");
  require(p.num_kv_heads() >= 1 && p.q.size(1) % p.num_kv_heads() == 0, "num_kv_heads divides num_q_heads");
  if (p.value_cache == nullptr) {
    require(p.value_dim >= 1 && p.value_dim <= p.q.size(2), "value_dim lies in 1..head_dim");
  } else {
    const auto& v = *p.value_cache;
    require(rank == 4 && v.dims().size() == 4 && v.size(0) == p.kv_cache.size(0) && v.size(1) == p.kv_cache.size(1) &&
                v.size(2) == p.kv_cache.size(2) && v.size(3) == p.value_dim,
            "value_cache is [pages, page_size, num_kv_heads, value_dim], and kv_cache agrees");
  }
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

RowTokens gather_tokens(const MlaDecodeProblem& p, std::int64_t b, std::int64_t kv_head) {
  const int kv_len = std::max(p.kv_lens[static_cast<std::size_t>(b)], 0);
  const std::int64_t page_size = p.kv_cache.size(1);
  const std::int64_t head_dim = p.q.size(2);
  RowTokens tokens{Matrix(kv_len, head_dim), Matrix(p.value_cache != nullptr ? kv_len : 0, p.value_dim), p.value_dim};
  for (std::int64_t n = 0; n < kv_len; ++n) {
    const std::int64_t page = p.page_table[static_cast<std::size_t>(b * p.max_pages + n / page_size)];
    const auto key = p.kv_cache.row({page, n % page_size}).subspan(static_cast<std::size_t>(kv_head * head_dim));
    std::copy_n(key.begin(), head_dim, tokens.keys.row(n).data());
    if (p.value_cache == nullptr) continue;
    const auto value = p.value_cache->row({page, n % page_size, kv_head});
    std::copy(value.begin(), value.end(), tokens.own_values.row(n).data());
  }
  return tokens;
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
  const std::int64_t kv_heads = p.num_kv_heads();
  const std::int64_t group = heads / kv_heads;
  for_each_row(batch * kv_heads, [&](std::int64_t i) {
    const std::int64_t b = i / kv_heads;
    const RowTokens tokens = gather_tokens(p, b, i % kv_heads);
    for (std::int64_t h = i % kv_heads * group; h < (i % kv_heads + 1) * group; ++h) {
      const State state = attend(scores(query(p, b, h), tokens.keys, p.sm_scale, p.logit_cap), tokens.values());
      std::copy(state.out.begin(), state.out.end(), result.out.row({b, h}).begin());
      result.lse.at({b, h}) = state.lse;
    }
  });
  return result;
}

}  // namespace offgrid::reference
