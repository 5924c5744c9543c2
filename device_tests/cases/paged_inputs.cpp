// See paged_inputs.h.
#include "cases/paged_inputs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "cases/splitmix64.h"

namespace offgrid::cases {
namespace {

using kernels::PagedKvType;
using std::int64_t;

constexpr std::int32_t kNoPages[] = {-1, 0, 2147480000, 2147483647};
constexpr std::uint16_t kPoison16 = 0xFFFF, kInfinity16 = 0x7C00;

std::uint16_t half(double x) { return static_cast<std::uint16_t>(reference::encode(reference::kFp16, x)); }
double value_of_half(std::uint16_t code) { return reference::decode(reference::kFp16, code); }

void put16(std::vector<std::uint8_t>& bytes, int64_t at, std::uint16_t x) {
  bytes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(x & 0xFF);
  bytes[static_cast<std::size_t>(at) + 1] = static_cast<std::uint8_t>(x >> 8);
}
void put32(std::vector<std::uint8_t>& bytes, int64_t at, std::uint32_t x) {
  put16(bytes, at, static_cast<std::uint16_t>(x & 0xFFFF));
  put16(bytes, at + 2, static_cast<std::uint16_t>(x >> 16));
}

int pages_of(const PagedCase& c, int kv_len) { return (std::max(kv_len, 0) + c.page_size - 1) / c.page_size; }

PagedMemory allocate(const PagedCase& c, int64_t pages) {
  PagedMemory m;
  m.element = c.kv_type == PagedKvType::kFp16 ? 2 : 1;
  m.pages = pages;
  m.head_dim = c.head_dim;
  m.page_size = c.page_size;
  m.pack = c.pack();
  m.first = c.odd_base ? m.element : 0;
  const int rows = c.head_dim + (c.kv_type == PagedKvType::kInt8 ? 4 : 0);  // four rows of bytes hold the scales
  m.head = int64_t{rows} * c.page_size * m.element;
  const int64_t plane = c.kv_heads * m.head;
  switch (c.memory) {
    case CacheMemory::kDense:
      m.page = plane;
      m.key_to_value = pages * plane;
      m.bytes = m.first + 2 * pages * plane;
      break;
    case CacheMemory::kHybrid:
    case CacheMemory::kPadded:
      m.page = 2 * plane + (c.memory == CacheMemory::kPadded ? 64 * m.element : 0);
      m.key_to_value = plane;
      m.bytes = m.first + pages * m.page;
      break;
  }
  return m;
}

// Which page holds which part of which request: a random order; page 0 and the last one belong to nobody.
std::vector<std::vector<std::int32_t>> assign_pages(const PagedCase& c, Splitmix64& random, int64_t* pages) {
  int used = 0;
  for (const PagedRequest& r : c.requests) used += pages_of(c, r.kv_len);
  std::vector<std::int32_t> order(static_cast<std::size_t>(used));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i) + 1;
  random.shuffle(order);
  std::vector<std::vector<std::int32_t>> result;
  std::size_t next = 0;
  for (const PagedRequest& r : c.requests) {
    const auto count = static_cast<std::size_t>(pages_of(c, r.kv_len));
    result.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(next),
                        order.begin() + static_cast<std::ptrdiff_t>(next + count));
    next += count;
  }
  *pages = used + 2;
  return result;
}

double key_value(const PagedCase& c, int n, Splitmix64& random) {
  const double normal = random.normal();
  const double root = std::sqrt(static_cast<double>(c.head_dim));
  switch (c.values) {
    case PagedValues::kRising:
      return 0.1 * normal + n / root;
    case PagedValues::kFalling:
      return 0.1 * normal - n / root;
    case PagedValues::kHuge:
      return 100 * normal;
    default:
      return normal;
  }
}

double query_value(const PagedCase& c, Splitmix64& random) {
  const double normal = random.normal();
  switch (c.values) {
    case PagedValues::kRising:
    case PagedValues::kFalling:
      return 1 + 0.1 * normal;
    case PagedValues::kHuge:
      return 100 * normal;
    default:
      return normal;
  }
}

void make_tables(const PagedCase& c, const std::vector<std::vector<std::int32_t>>& pages, PagedInputs& in) {
  std::size_t longest = 0;
  for (const auto& row : pages) longest = std::max(longest, row.size());
  // Rows that nobody has: without starts every token is a row of the tables.
  const std::size_t rows = pages.size() + (c.with_starts ? 0 : static_cast<std::size_t>(c.padding));
  in.table_stride = static_cast<int64_t>(longest) + 3;
  for (std::size_t r = 0; r < rows; ++r) {
    if (r < pages.size()) in.page_table.insert(in.page_table.end(), pages[r].begin(), pages[r].end());
    const std::size_t end = (r + 1) * static_cast<std::size_t>(in.table_stride);
    while (in.page_table.size() < end) in.page_table.push_back(kNoPages[in.page_table.size() % 4]);
    in.kv_lens.push_back(r < pages.size() ? c.requests[r].kv_len : 0);
  }
  if (!c.with_starts) return;
  in.cu_query_lens.push_back(0);
  for (const PagedRequest& r : c.requests) in.cu_query_lens.push_back(in.cu_query_lens.back() + r.q_len);
}

void make_queries(const PagedCase& c, Splitmix64& random, PagedInputs& in) {
  const int64_t extra = c.fused_q ? 2 * c.kv_heads : 0;  // rows hold the heads of keys and values too
  in.q_head = c.head_dim;
  in.q_token = (c.heads + extra) * c.head_dim + (c.fused_q ? 8 : 0);
  in.out_head = c.head_dim + (c.fused_q ? 3 : 0);
  in.out_token = c.heads * in.out_head + (c.fused_q ? 5 : 0);
  if (c.in_place) in.out_head = in.q_head, in.out_token = in.q_token;
  const int64_t tokens = c.num_tokens();
  const auto extent = [&](int64_t token, int64_t head) {
    return tokens == 0 ? 0 : (tokens - 1) * token + (c.heads - 1) * head + c.head_dim;
  };
  in.out_count = extent(in.out_token, in.out_head);
  in.q.assign(static_cast<std::size_t>(extent(in.q_token, in.q_head)), kPoison16);
  in.q_values = reference::Tensor({{"tokens", tokens}, {"num_q_heads", c.heads}, {"head_dim", c.head_dim}});
  for (int64_t t = 0; t < tokens; ++t) {
    for (int64_t h = 0; h < c.heads; ++h) {
      for (int64_t d = 0; d < c.head_dim; ++d) {
        std::uint16_t code = half(query_value(c, random));
        const bool last = t + 1 == c.tokens_of_requests() && h + 1 == c.heads && d == 3;
        if (c.values == PagedValues::kNanQuery && last) code = kPoison16;
        in.q[static_cast<std::size_t>(t * in.q_token + h * in.q_head + d)] = code;
        in.q_values.at({t, h, d}) = value_of_half(code);
      }
    }
  }
}

// One token and head of one plane: writes it where the writer would, and returns what it stands for.
void write_row(const PagedCase& c, int plane, int64_t page, int head, int slot, std::span<const std::uint16_t> row,
               std::span<double> stands_for, PagedInputs& in) {
  std::vector<double> exact;
  for (const std::uint16_t code : row) exact.push_back(value_of_half(code));
  const PagedMemory& m = in.memory;
  const auto at = [&](std::size_t d) { return m.element_at(plane, page, head, static_cast<int>(d), slot); };
  switch (c.kv_type) {
    case PagedKvType::kFp16:
      for (std::size_t d = 0; d < row.size(); ++d) {
        put16(in.cache, at(d), row[d]);
        stands_for[d] = exact[d];
      }
      return;
    case PagedKvType::kE4m3: {
      const float scale = plane == 0 ? in.k_scale : in.v_scale;
      for (std::size_t d = 0; d < row.size(); ++d) {
        const double quotient = reference::round_to(reference::kFp32, exact[d] / static_cast<double>(scale));
        const std::uint32_t code = reference::encode(reference::kE4m3, quotient, reference::Overflow::kSaturate);
        in.cache[static_cast<std::size_t>(at(d))] = static_cast<std::uint8_t>(code);
        stands_for[d] = reference::dequantised(reference::kE4m3, code, scale);
      }
      return;
    }
    case PagedKvType::kInt8: {
      const reference::Int8Row quantised = reference::quantise_int8(exact);
      for (std::size_t d = 0; d < row.size(); ++d) {
        in.cache[static_cast<std::size_t>(at(d))] = static_cast<std::uint8_t>(quantised.codes[d]);
        stands_for[d] = reference::dequantised_int8(quantised.codes[d], quantised.scale);
      }
      put32(in.cache, m.scale_at(plane, page, head, slot), std::bit_cast<std::uint32_t>(quantised.scale));
      return;
    }
  }
}

void fill_request(const PagedCase& c, std::size_t r, const std::vector<std::int32_t>& pages, Splitmix64& random,
                  PagedInputs& in) {
  const int kv_len = std::max(c.requests[r].kv_len, 0);
  const bool last_request = r + 1 == c.requests.size();
  for (int n = 0; n < kv_len; ++n) {
    const int64_t page = pages[static_cast<std::size_t>(n / c.page_size)];
    const int slot = n % c.page_size;
    in.slots.push_back(page * c.page_size + slot);
    const int64_t token = in.kv_starts[r] + n;
    for (int h = 0; h < c.kv_heads; ++h) {
      std::vector<std::uint16_t> key, value;
      for (int d = 0; d < c.head_dim; ++d) {
        key.push_back(half(key_value(c, n, random)));
        value.push_back(half(random.normal()));
      }
      if (last_request && n == kv_len / 2) {
        if (c.values == PagedValues::kNanKey) key[5] = kPoison16;
        if (c.values == PagedValues::kInfValue) value[5] = kInfinity16;
      }
      write_row(c, 0, page, h, slot, key, in.keys.row({token, h}), in);
      write_row(c, 1, page, h, slot, value, in.values.row({token, h}), in);
      in.new_keys.insert(in.new_keys.end(), key.begin(), key.end());
      in.new_values.insert(in.new_values.end(), value.begin(), value.end());
    }
  }
}

}  // namespace

int64_t PagedMemory::element_at(int plane, int64_t page_index, int head_index, int d, int slot) const {
  const int64_t in_head = plane == 0 ? int64_t{d / pack} * pack * page_size + int64_t{slot} * pack + d % pack
                                     : int64_t{d} * page_size + slot;
  return first + page_index * page + plane * key_to_value + head_index * head + in_head * element;
}

int64_t PagedMemory::scale_at(int plane, int64_t page_index, int head_index, int slot) const {
  return first + page_index * page + plane * key_to_value + head_index * head + int64_t{head_dim} * page_size +
         int64_t{slot} * 4;
}

reference::VarlenAttentionProblem PagedInputs::problem(const PagedCase& c) const {
  return {q_values, keys, values, query_starts, kv_starts, static_cast<double>(c.scale()), c.causal, c.window};
}

std::vector<std::uint8_t> empty_cache(const PagedCase& c, const PagedInputs& in) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(in.memory.bytes), 0xFF);
  if (c.kv_type != PagedKvType::kFp16) return bytes;
  for (int64_t at = in.memory.first; at + 1 < in.memory.bytes; at += 6) put16(bytes, at, kInfinity16);
  return bytes;
}

PagedInputs make_paged_inputs(const PagedCase& c) {
  for (const PagedRequest& r : c.requests) {
    if (!c.with_starts && r.q_len != 1) throw std::logic_error("a case without starts has one token a request");
  }
  Splitmix64 random(c.seed);
  PagedInputs in;
  in.k_scale = 0.03f;
  in.v_scale = 0.02f;
  int64_t pages = 0;
  const auto pages_of_requests = assign_pages(c, random, &pages);
  in.memory = allocate(c, pages);
  in.cache = empty_cache(c, in);
  make_tables(c, pages_of_requests, in);
  make_queries(c, random, in);
  in.query_starts.push_back(0);
  in.kv_starts.push_back(0);
  for (const PagedRequest& r : c.requests) {
    in.query_starts.push_back(in.query_starts.back() + r.q_len);
    in.kv_starts.push_back(in.kv_starts.back() + std::max(r.kv_len, 0));
  }
  in.keys =
      reference::Tensor({{"kv_tokens", in.kv_starts.back()}, {"num_kv_heads", c.kv_heads}, {"head_dim", c.head_dim}});
  in.values = in.keys;
  for (std::size_t r = 0; r < c.requests.size(); ++r) fill_request(c, r, pages_of_requests[r], random, in);
  return in;
}

}  // namespace offgrid::cases
