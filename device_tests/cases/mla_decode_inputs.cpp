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

// With gaps: also behind each token and each KV head, and the pool belongs to three layers, of which this is the
// second.
// Gaps are multiples of this many elements: tensor cores want rows to begin at multiples of 16 bytes.
int64_t gap_unit(const MlaDecodeCase& c) {
  if (c.inner != kernels::InnerPath::kTensorCore) return 1;
  return c.kv_type == kernels::KvType::kE4m3 ? 16 : 8;
}

CacheLayout cache_layout(const MlaDecodeCase& c, int64_t pages, int64_t width, int64_t gap) {
  CacheLayout l;
  l.head = width + (gap > 0 ? 5 * gap_unit(c) : 0);
  l.token = c.kv_heads * l.head + gap;
  l.page = (gap > 0 ? 3 : 1) * c.page_size * l.token;
  l.first = gap > 0 ? c.page_size * l.token : 0;
  l.count = l.first + extent({{pages, l.page}, {c.page_size, l.token}, {c.kv_heads, l.head}, {width, 1}});
  return l;
}

MlaDecodeLayout make_layout(const MlaDecodeCase& c, int64_t pages) {
  const bool gaps = c.layout == Layout::kInflated;
  MlaDecodeLayout l{};
  const int64_t batch = c.batch();
  l.pages = pages;
  l.max_pages = pages_of(c.capacity, c.page_size);
  for (int n : c.kv_lens) l.max_pages = std::max(l.max_pages, pages_of(n, c.page_size));
  l.max_pages += 2;  // two entries nobody may use

  l.q_head = c.head_dim + (gaps ? 3 * gap_unit(c) : 0);
  l.q_batch = c.heads * l.q_head + (gaps ? 41 * gap_unit(c) : 0);
  l.q_count = extent({{batch, l.q_batch}, {c.heads, l.q_head}, {c.head_dim, 1}});

  l.keys = cache_layout(c, pages, c.head_dim, gaps ? 64 : 0);
  if (!c.is_mla) l.values = cache_layout(c, pages, c.value_dim, gaps ? 24 : 0);

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

// Random pages, with repeats, from a pool of 256 tokens behind page 0.
int64_t repeat_pages(const MlaDecodeCase& c, Splitmix64& random, std::vector<std::vector<std::int32_t>>& pages) {
  const int64_t pool = pages_of(256, c.page_size);
  pages.resize(c.kv_lens.size());
  for (std::size_t b = 0; b < c.kv_lens.size(); ++b) {
    for (int64_t i = pages_of(c.kv_lens[b], c.page_size); i > 0; --i) {
      pages[b].push_back(1 + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(pool))));
    }
  }
  return pool + 2;
}

// Which page holds which part of which row; page 0 and one more page belong to nobody. Returns the size of the pool.
int64_t assign_pages(const MlaDecodeCase& c, Splitmix64& random, std::vector<std::vector<std::int32_t>>& pages) {
  if (c.pages == Pages::kRepeated) return repeat_pages(c, random, pages);
  int64_t used = 0;
  pages.resize(c.kv_lens.size());
  for (std::size_t b = 0; b < c.kv_lens.size(); ++b) {
    const int64_t count = pages_of(c.kv_lens[b], c.page_size);
    for (int64_t i = 0; i < count; ++i) {
      const bool shared = c.pages == Pages::kShared && b > 0 && i < static_cast<int64_t>(pages[b - 1].size()) / 2;
      pages[b].push_back(shared ? pages[b - 1][static_cast<std::size_t>(i)] : static_cast<std::int32_t>(used++));
    }
  }
  used = std::max(used, c.batch() * pages_of(c.capacity, c.page_size));
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
    case Values::kAllCodes:
      return normal / 64;
    default:
      return normal;
  }
}

// Element d of the key of token n of a row of kv_len tokens. sqrt(head_dim) is what 1 / sm_scale is.
double key_value(const MlaDecodeCase& c, int n, int d, int kv_len, Splitmix64& random) {
  const double normal = random.normal();
  const double root = std::sqrt(c.head_dim);
  switch (c.values) {
    case Values::kZeroKeys:
      return 0;
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

// One of the two caches while it is filled.
struct Cache {
  const CacheLayout& layout;
  std::vector<std::uint16_t>& codes;
  int width;
  double scale;
  bool are_keys;
};

double scale_of(const MlaDecodeCase& c, float scale) {
  return c.kv_type == kernels::KvType::kE4m3 && scale > 0 ? static_cast<double>(scale) : 1;
}

// Memory that belongs to the cache but must not matter: NaN and infinities.
void fill_unused(const MlaDecodeCase& c, int64_t pages, Cache& cache) {
  const auto& format = format_of(c.kv_dtype());
  const std::uint32_t unused[] = {poison_code(c.kv_dtype()), reference::encode(format, kInfinity),
                                  reference::encode(format, std::nan(""))};
  cache.codes.assign(static_cast<std::size_t>(cache.layout.count), poison_code(c.kv_dtype()));
  for (int64_t page = 0; page < pages; ++page) {
    for (int64_t slot = 0; slot < c.page_size; ++slot) {
      for (int64_t head = 0; head < c.kv_heads; ++head) {
        const auto begin = static_cast<std::size_t>(cache.layout.offset(page, slot, head));
        for (std::size_t i = begin; i < begin + static_cast<std::size_t>(cache.width); ++i) {
          cache.codes[i] = static_cast<std::uint16_t>(unused[i % 3]);
        }
      }
    }
  }
}

void fill_token(const MlaDecodeCase& c, std::size_t b, int n, std::size_t begin, Splitmix64& random, Cache& cache) {
  const auto& format = format_of(c.kv_dtype());
  const int kv_len = c.kv_lens[b];
  Splitmix64 equal(c.seed + 77);
  Splitmix64& source = c.values == Values::kEqualKeys ? equal : random;
  for (int d = 0; d < cache.width; ++d) {
    auto& code = cache.codes[begin + static_cast<std::size_t>(d)];
    if (c.values == Values::kAllCodes) {  // 127 finite codes of each sign
      const int i = (n * cache.width + d) % 254;
      code = static_cast<std::uint16_t>(i < 127 ? i : i + 1);
      continue;
    }
    double value = cache.are_keys ? key_value(c, n, d, kv_len, source) : source.normal();
    if (!cache.are_keys && c.values == Values::kOneValues) value = 1;
    code = static_cast<std::uint16_t>(reference::encode(format, value / cache.scale,
                                                        format.specials == reference::Specials::kIeee
                                                            ? reference::Overflow::kToSpecial
                                                            : reference::Overflow::kSaturate));
  }
  if (b + 1 != c.kv_lens.size() || n != kv_len / 2 || !cache.are_keys) return;
  if (c.values == Values::kNanToken) cache.codes[begin + 3] = poison_code(c.kv_dtype());
  if (c.values == Values::kInfToken) {
    cache.codes[begin + 3] = static_cast<std::uint16_t>(reference::encode(format, kInfinity));
  }
}

void fill_cache(const MlaDecodeCase& c, const std::vector<std::vector<std::int32_t>>& pages, int64_t pool,
                Splitmix64& random, Cache cache) {
  fill_unused(c, pool, cache);
  for (std::size_t b = 0; b < pages.size(); ++b) {
    for (int n = 0; n < c.kv_lens[b]; ++n) {
      const int64_t page = pages[b][static_cast<std::size_t>(n / c.page_size)];
      for (int64_t head = 0; head < c.kv_heads; ++head) {
        const auto begin = static_cast<std::size_t>(cache.layout.offset(page, n % c.page_size, head));
        fill_token(c, b, n, begin, random, cache);
      }
    }
  }
}

void fill_queries(const MlaDecodeCase& c, Splitmix64& random, MlaDecodeInputs& in) {
  const auto& l = in.layout;
  in.q.assign(static_cast<std::size_t>(l.q_count), poison_code(c.dtype));
  for (int64_t b = 0; b < c.batch(); ++b) {
    for (int64_t h = 0; h < c.heads; ++h) {
      for (int64_t d = 0; d < c.head_dim; ++d) {
        double value = query_value(c, d, random);
        if (b + 1 == c.batch() && h + 1 == c.heads && d == 3) {
          if (c.values == Values::kNanQuery) value = std::nan("");
          if (c.values == Values::kInfQuery) value = kInfinity;
        }
        in.q[static_cast<std::size_t>(b * l.q_batch + h * l.q_head + d)] =
            static_cast<std::uint16_t>(reference::encode(format_of(c.dtype), value));
      }
    }
  }
}

// A cache as the kernel computes with it: codes times scale, on the scalar path rounded to fp32 and then to the type of
// q.
reference::Tensor cache_tensor(const MlaDecodeCase& c, int64_t pages, const CacheLayout& l, int64_t width,
                               const std::vector<std::uint16_t>& codes, double scale) {
  reference::Tensor t(
      {{"pages", pages}, {"page_size", c.page_size}, {"num_kv_heads", c.kv_heads}, {"head_dim", width}});
  const bool is_scaled = c.kv_type == kernels::KvType::kE4m3;
  const auto& format = format_of(c.kv_dtype());
  std::vector<double> value_of(std::size_t{1} << format.bits());
  for (std::size_t code = 0; code < value_of.size(); ++code) {
    const double value = reference::decode(format, static_cast<std::uint32_t>(code));
    value_of[code] = value;
    if (!is_scaled) continue;
    value_of[code] = value * scale;
    if (c.inner == kernels::InnerPath::kTensorCore) continue;
    value_of[code] = reference::round_to(format_of(c.dtype), reference::round_to(reference::kFp32, value_of[code]));
  }
  for (int64_t page = 0; page < pages; ++page) {
    for (int64_t slot = 0; slot < c.page_size; ++slot) {
      for (int64_t head = 0; head < c.kv_heads; ++head) {
        const std::uint16_t* from = codes.data() + l.offset(page, slot, head);
        for (double& x : t.row({page, slot, head})) x = value_of[*from++];
      }
    }
  }
  return t;
}

}  // namespace

std::uint16_t poison_code(kernels::DataType type) {
  return type == kernels::DataType::kE4m3 ? std::uint16_t{0xFF} : std::uint16_t{0xFFFF};
}

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
  MlaDecodeInputs in{make_layout(c, pool), {}, {}, {}, {}, c.kv_lens, static_cast<float>(1 / std::sqrt(c.head_dim))};
  const auto& l = in.layout;
  fill_queries(c, random, in);
  fill_cache(c, pages, pool, random, {l.keys, in.kv_cache, c.head_dim, scale_of(c, c.k_scale), true});
  if (!c.is_mla) {
    fill_cache(c, pages, pool, random, {l.values, in.value_cache, c.value_dim, scale_of(c, c.v_scale), false});
  }

  constexpr std::int32_t kGarbage[] = {-1, 0, 2147480000, 2147483647};
  in.page_table.resize(static_cast<std::size_t>(l.table_count));
  for (std::size_t i = 0; i < in.page_table.size(); ++i) in.page_table[i] = kGarbage[i % 4];
  for (std::size_t b = 0; b < pages.size(); ++b) {
    std::copy(pages[b].begin(), pages[b].end(), in.page_table.begin() + static_cast<std::ptrdiff_t>(b) * l.table_batch);
  }
  return in;
}

MlaDecodeInputs in_pages_of_one(const MlaDecodeCase& c, const MlaDecodeInputs& inputs) {
  MlaDecodeInputs in = inputs;
  auto& l = in.layout;
  for (CacheLayout* cache : {&l.keys, &l.values}) cache->page = cache->token;
  l.pages = inputs.layout.pages * c.page_size;
  l.max_pages = inputs.layout.max_pages * c.page_size;
  l.table_batch = l.max_pages;
  l.table_count = c.batch() * l.table_batch;
  in.page_table.assign(static_cast<std::size_t>(l.table_count), -1);
  for (int64_t b = 0; b < c.batch(); ++b) {
    for (int64_t n = 0; n < c.kv_lens[static_cast<std::size_t>(b)]; ++n) {
      const auto page = inputs.page_table[static_cast<std::size_t>(b * inputs.layout.table_batch + n / c.page_size)];
      in.page_table[static_cast<std::size_t>(b * l.table_batch + n)] =
          static_cast<std::int32_t>(page * c.page_size + n % c.page_size);
    }
  }
  return in;
}

MlaDecodeTruthInputs truth_inputs(const MlaDecodeCase& c, const MlaDecodeInputs& in) {
  const auto& l = in.layout;
  MlaDecodeTruthInputs t{reference::Tensor({{"batch", c.batch()}, {"num_q_heads", c.heads}, {"head_dim", c.head_dim}}),
                         cache_tensor(c, l.pages, l.keys, c.head_dim, in.kv_cache, scale_of(c, c.k_scale)),
                         {},
                         {},
                         in.kv_lens,
                         l.max_pages,
                         c.value_dim,
                         in.sm_scale,
                         c.logit_cap,
                         c.is_mla};
  if (!c.is_mla) {
    t.value_cache = cache_tensor(c, l.pages, l.values, c.value_dim, in.value_cache, scale_of(c, c.v_scale));
  }
  for (int64_t b = 0; b < c.batch(); ++b) {
    for (int64_t h = 0; h < c.heads; ++h) {
      const std::uint16_t* from = in.q.data() + b * l.q_batch + h * l.q_head;
      for (double& x : t.q.row({b, h})) x = reference::decode(format_of(c.dtype), *from++);
    }
    const auto row = in.page_table.begin() + b * l.table_batch;
    t.page_table.insert(t.page_table.end(), row, row + l.max_pages);
  }
  return t;
}

}  // namespace offgrid::cases
