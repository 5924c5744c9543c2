// Inputs by seed: layout, page table, values, poison.
#include "cases/mla_decode_inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cases/splitmix64.h"

namespace offgrid::cases {
namespace {

using std::int64_t;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int64_t pages_of(int kv_len, int page_size) { return (std::max(kv_len, 0) + page_size - 1) / page_size; }

// Elements from the first to the last one used; 0 if there is none.
int64_t extent(std::initializer_list<std::pair<int64_t, int64_t>> size_and_stride) {
  int64_t last = 0;
  for (const auto& [size, stride] : size_and_stride) {
    if (size == 0) return 0;
    last += (size - 1) * stride;
  }
  return last + 1;
}

MlaDecodeLayout make_layout(const MlaDecodeCase& c, int64_t pages) {
  const bool gaps = c.layout == Layout::kInflated;
  MlaDecodeLayout l{};
  const int64_t batch = c.batch();
  l.pages = pages;
  for (int n : c.kv_lens) l.max_pages = std::max(l.max_pages, pages_of(n, c.page_size));
  l.max_pages += 2;  // two entries nobody may use

  l.q_head = c.head_dim + (gaps ? 3 : 0);
  l.q_batch = c.heads * l.q_head + (gaps ? 41 : 0);
  l.q_count = extent({{batch, l.q_batch}, {c.heads, l.q_head}, {c.head_dim, 1}});

  const int64_t layers = gaps ? 3 : 1;
  l.kv_token = c.head_dim + (gaps ? 64 : 0);
  l.kv_page = layers * c.page_size * l.kv_token;
  l.kv_first = gaps ? c.page_size * l.kv_token : 0;
  l.kv_count =
      l.kv_first + extent({{pages, l.kv_page}, {c.page_size, l.kv_token}, {static_cast<int64_t>(c.head_dim), 1}});

  l.out_head = c.value_dim + (gaps ? 5 : 0);
  l.out_batch = c.heads * l.out_head + (gaps ? 7 : 0);
  l.out_count = extent({{batch, l.out_batch}, {c.heads, l.out_head}, {c.value_dim, 1}});
  l.lse_batch = c.heads + (gaps ? 3 : 0);
  l.lse_count = extent({{batch, l.lse_batch}, {c.heads, 1}});

  l.scratch_split = c.value_dim + 1 + (gaps ? 2 : 0);
  l.scratch_head = c.num_kv_splits * l.scratch_split + (gaps ? 9 : 0);
  l.scratch_batch = c.heads * l.scratch_head + (gaps ? 11 : 0);
  l.scratch_count = extent(
      {{batch, l.scratch_batch}, {c.heads, l.scratch_head}, {c.num_kv_splits, l.scratch_split}, {c.value_dim + 1, 1}});

  l.table_batch = l.max_pages + (gaps ? 3 : 0);
  l.table_count = extent({{batch, l.table_batch}, {l.max_pages, 1}});
  return l;
}

// Which page holds which part of which row; page 0 and one more page belong to nobody. Returns the size of the pool.
int64_t assign_pages(const MlaDecodeCase& c, Splitmix64& random, std::vector<std::vector<std::int32_t>>& pages) {
  int64_t used = 0;
  pages.resize(c.kv_lens.size());
  for (std::size_t b = 0; b < c.kv_lens.size(); ++b) {
    const int64_t count = pages_of(c.kv_lens[b], c.page_size);
    for (int64_t i = 0; i < count; ++i) {
      const bool shared = c.pages == Pages::kShared && b > 0 && i < static_cast<int64_t>(pages[b - 1].size()) / 2;
      pages[b].push_back(shared ? pages[b - 1][static_cast<std::size_t>(i)] : static_cast<std::int32_t>(used++));
    }
  }
  std::vector<std::int32_t> order(static_cast<std::size_t>(used) + 1);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i) + 1;
  random.shuffle(order);
  for (auto& row : pages) {
    for (auto& page : row) page = order[static_cast<std::size_t>(page)];
  }
  return used + 2;
}

double query_value(const MlaDecodeCase& c, int64_t d, Splitmix64& random) {
  const double normal = random.normal();
  switch (c.values) {
    case Values::kZeroQuery:
      return 0;
    case Values::kRising:
      return 1 + 0.1 * normal;
    case Values::kDominant:
      return 1 + 0.1 * normal;
    case Values::kHuge:
      return 20000 * normal;
    case Values::kVeryLow:
      return 100 + normal;
    case Values::kMinusInfinity:
      return d == c.head_dim - 1 ? -1 : normal;
    case Values::kNegativeZero:
      return 1;
    default:
      return normal;
  }
}

// Element d of token n of a row of kv_len tokens. sqrt(head_dim) is what 1 / sm_scale is.
double key_value(const MlaDecodeCase& c, int n, int d, int kv_len, Splitmix64& random) {
  const double normal = random.normal();
  const double root = std::sqrt(c.head_dim);
  switch (c.values) {
    case Values::kRising:
      return 0.1 * normal + 1.5 * n / root;
    case Values::kDominant:
      return 0.1 * normal + (n == kv_len / 2 ? 40 / root : 0);
    case Values::kVeryLow:
      return (-600 + normal) / root;
    case Values::kMinusInfinity:
      return n < 40 && d == c.head_dim - 1 ? kInfinity : normal;
    case Values::kNegativeZero:
      if (d >= c.value_dim) return n == 0 ? 60 * root / (c.head_dim - c.value_dim) : 0;
      return n == 0 ? -0.0 : -0x1p-133;
    default:
      return normal;
  }
}

void fill_keys(const MlaDecodeCase& c, const std::vector<std::vector<std::int32_t>>& pages, Splitmix64& random,
               MlaDecodeInputs& in) {
  const auto& format = format_of(c.dtype);
  const auto& l = in.layout;
  const std::uint32_t unused[] = {kPoison16, reference::encode(format, kInfinity),
                                  reference::encode(format, std::nan(""))};
  for (int64_t page = 0; page < l.pages; ++page) {
    for (int64_t slot = 0; slot < c.page_size; ++slot) {
      const auto begin = static_cast<std::size_t>(l.kv_first + page * l.kv_page + slot * l.kv_token);
      for (std::size_t d = 0; d < static_cast<std::size_t>(c.head_dim); ++d) {
        in.kv_cache[begin + d] = static_cast<std::uint16_t>(unused[(begin + d) % 3]);
      }
    }
  }
  for (std::size_t b = 0; b < pages.size(); ++b) {
    for (int n = 0; n < c.kv_lens[b]; ++n) {
      const int64_t page = pages[b][static_cast<std::size_t>(n / c.page_size)];
      const auto begin = static_cast<std::size_t>(l.kv_first + page * l.kv_page + n % c.page_size * l.kv_token);
      Splitmix64 equal(c.seed + 77);
      Splitmix64& source = c.values == Values::kEqualKeys ? equal : random;
      for (std::size_t d = 0; d < static_cast<std::size_t>(c.head_dim); ++d) {
        const double value = key_value(c, n, static_cast<int>(d), c.kv_lens[b], source);
        in.kv_cache[begin + d] = static_cast<std::uint16_t>(reference::encode(format, value));
      }
      if (c.values == Values::kNanToken && b + 1 == pages.size() && n == c.kv_lens[b] / 2) {
        in.kv_cache[begin + 3] = kPoison16;
      }
    }
  }
}

}  // namespace

const reference::FloatFormat& format_of(kernels::DataType type) {
  switch (type) {
    case kernels::DataType::kFp32:
      return reference::kFp32;
    case kernels::DataType::kBf16:
      return reference::kBf16;
    case kernels::DataType::kFp16:
      return reference::kFp16;
    case kernels::DataType::kE4m3:
      return reference::kE4m3;
  }
  return reference::kFp32;
}

MlaDecodeInputs make_inputs(const MlaDecodeCase& c) {
  Splitmix64 random(c.seed);
  std::vector<std::vector<std::int32_t>> pages;
  const int64_t pool = assign_pages(c, random, pages);
  MlaDecodeInputs in{make_layout(c, pool), {}, {}, {}, c.kv_lens, static_cast<float>(1 / std::sqrt(c.head_dim))};
  const auto& l = in.layout;

  in.q.assign(static_cast<std::size_t>(l.q_count), kPoison16);
  for (int64_t b = 0; b < c.batch(); ++b) {
    for (int64_t h = 0; h < c.heads; ++h) {
      for (int64_t d = 0; d < c.head_dim; ++d) {
        in.q[static_cast<std::size_t>(b * l.q_batch + h * l.q_head + d)] =
            static_cast<std::uint16_t>(reference::encode(format_of(c.dtype), query_value(c, d, random)));
      }
    }
  }

  in.kv_cache.assign(static_cast<std::size_t>(l.kv_count), kPoison16);
  fill_keys(c, pages, random, in);

  constexpr std::int32_t kGarbage[] = {-1, 0, 2147480000, 2147483647};
  in.page_table.resize(static_cast<std::size_t>(l.table_count));
  for (std::size_t i = 0; i < in.page_table.size(); ++i) in.page_table[i] = kGarbage[i % 4];
  for (std::size_t b = 0; b < pages.size(); ++b) {
    std::copy(pages[b].begin(), pages[b].end(), in.page_table.begin() + static_cast<std::ptrdiff_t>(b) * l.table_batch);
  }
  return in;
}

MlaDecodeTruthInputs truth_inputs(const MlaDecodeCase& c, const MlaDecodeInputs& in) {
  const auto& l = in.layout;
  const auto& format = format_of(c.dtype);
  MlaDecodeTruthInputs t{reference::Tensor({{"batch", c.batch()}, {"num_q_heads", c.heads}, {"head_dim", c.head_dim}}),
                         reference::Tensor({{"pages", l.pages}, {"page_size", c.page_size}, {"head_dim", c.head_dim}}),
                         {},
                         in.kv_lens,
                         l.max_pages,
                         c.value_dim,
                         in.sm_scale,
                         c.logit_cap};
  for (int64_t b = 0; b < c.batch(); ++b) {
    for (int64_t h = 0; h < c.heads; ++h) {
      const std::uint16_t* from = in.q.data() + b * l.q_batch + h * l.q_head;
      for (double& x : t.q.row({b, h})) x = reference::decode(format, *from++);
    }
    const auto row = in.page_table.begin() + b * l.table_batch;
    t.page_table.insert(t.page_table.end(), row, row + l.max_pages);
  }
  for (int64_t page = 0; page < l.pages; ++page) {
    for (int64_t slot = 0; slot < c.page_size; ++slot) {
      const std::uint16_t* from = in.kv_cache.data() + l.kv_first + page * l.kv_page + slot * l.kv_token;
      for (double& x : t.kv_cache.row({page, slot})) x = reference::decode(format, *from++);
    }
  }
  return t;
}

}  // namespace offgrid::cases
