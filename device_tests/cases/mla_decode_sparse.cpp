// See mla_decode_sparse.h.
#include "cases/mla_decode_sparse.h"

#include <algorithm>
#include <optional>
#include <string>

#include "cases/mla_decode_judge.h"
#include "cases/mla_decode_rows.h"
#include "cases/sparse_memory.h"

namespace offgrid::cases {
namespace {

using namespace rows;
using kernels::DecodePath;

constexpr std::int64_t kBillion2 = std::int64_t{1} << 31;

struct SparseCase {
  const char* what;
  MlaDecodeCase decode;
  // Page i of the dense pool becomes page first + i * step, with this stride; 0: the cache stays dense.
  std::int64_t page_stride = 0, first_page = 0, page_step = 1;
  // Strides of rows and heads; 0: dense.
  std::int64_t scratch_row = 0, scratch_head = 0, scratch_split = 0, q_row = 0, out_row = 0;

  std::string name() const { return std::string("sparse(") + what + "," + decode.name() + ")"; }
};

std::vector<unsigned char> narrowed(const std::uint16_t* codes, std::int64_t count) { return {codes, codes + count}; }

// The pages of a dense cache, far apart.
SparseBuffer spread(const SparseCase& s, const MlaDecodeInputs& in, const CacheLayout& dense,
                    const std::vector<std::uint16_t>& codes) {
  const std::size_t bytes = kernels::size_of(s.decode.kv_dtype());
  const std::int64_t last = s.first_page + (in.layout.pages - 1) * s.page_step;
  SparseBuffer pool(last * s.page_stride + dense.page, bytes);
  for (std::int64_t page = 0; page < in.layout.pages; ++page) {
    const std::int64_t to = (s.first_page + page * s.page_step) * s.page_stride;
    const std::uint16_t* const from = codes.data() + page * dense.page;
    if (bytes == 1) {
      pool.write(to, narrowed(from, dense.page).data(), dense.page);
    } else {
      pool.write(to, from, dense.page);
    }
  }
  return pool;
}

// Table entries that count name the spread pages.
std::vector<std::int32_t> spread_table(const SparseCase& s, const MlaDecodeInputs& in) {
  auto table = in.page_table;
  for (std::size_t b = 0; b < in.kv_lens.size(); ++b) {
    const std::int64_t used = (std::max(in.kv_lens[b], 0) + s.decode.page_size - 1) / s.decode.page_size;
    for (std::int64_t i = 0; i < used; ++i) {
      auto& page = table[b * static_cast<std::size_t>(in.layout.table_batch) + static_cast<std::size_t>(i)];
      page = static_cast<std::int32_t>(s.first_page + page * s.page_step);
    }
  }
  return table;
}

// Moves whatever the case wants far apart, runs, and gathers out and lse as if they were dense.
MlaDecodeOutputs run_spread(const SparseCase& s, const MlaDecodeInputs& in, MlaDecodeDevice& device, DecodePath path) {
  const MlaDecodeCase& c = s.decode;
  const MlaDecodeLayout& l = in.layout;
  auto& params = device.params();
  std::optional<SparseBuffer> keys, values, scratch, q, out;
  if (s.page_stride > 0) {
    keys.emplace(spread(s, in, l.keys, in.kv_cache));
    params.kv_cache = keys->data();
    params.kv_page_stride = s.page_stride;
    if (!c.is_mla) {
      values.emplace(spread(s, in, l.values, in.value_cache));
      params.value_cache = values->data();
      params.value_page_stride = s.page_stride;
    }
    device.set_page_table(spread_table(s, in));
  }
  if (s.scratch_row + s.scratch_head + s.scratch_split > 0) {
    if (s.scratch_row > 0) params.scratch_batch_stride = s.scratch_row;
    if (s.scratch_head > 0) params.scratch_head_stride = s.scratch_head;
    if (s.scratch_split > 0) params.scratch_split_stride = s.scratch_split;
    scratch.emplace((c.batch() - 1) * params.scratch_batch_stride + (c.heads - 1) * params.scratch_head_stride +
                        (c.num_kv_splits - 1) * params.scratch_split_stride + c.value_dim + 1,
                    sizeof(float));
    params.scratch = static_cast<float*>(scratch->data());
  }
  if (s.q_row > 0) {
    q.emplace((c.batch() - 1) * s.q_row + l.q_batch, 2);
    for (std::int64_t b = 0; b < c.batch(); ++b) q->write(b * s.q_row, in.q.data() + b * l.q_batch, l.q_batch);
    params.q = q->data();
    params.q_batch_stride = s.q_row;
  }
  if (s.out_row > 0) {
    out.emplace((c.batch() - 1) * s.out_row + l.out_batch, 2);
    params.out = out->data();
    params.out_batch_stride = s.out_row;
  }
  MlaDecodeOutputs got = device.run(path);
  if (out) {
    std::vector<std::uint16_t> row(static_cast<std::size_t>(l.out_batch));
    got.out.clear();
    for (std::int64_t b = 0; b < c.batch(); ++b) {
      out->read(b * s.out_row, row.data(), l.out_batch);
      got.out.insert(got.out.end(), row.begin(), row.end());
    }
  }
  return got;
}

Outcome run_sparse(const SparseCase& s) {
  Outcome outcome;
  if (const std::string why = kernels::mla_decode_obstacle(s.decode.variant()); !why.empty()) {
    outcome.status = Status::kSkipped;
    outcome.text = "  " + why + "\n";
    return outcome;
  }
  const MlaDecodeInputs in = make_inputs(s.decode);
  const DecodePath path = s.decode.plan().path;
  const MlaDecodeOutputs dense = MlaDecodeDevice(s.decode, in).run(path);
  MlaDecodeDevice device(s.decode, in);
  const UnlimitedMemory unlimited;
  MlaDecodeOutputs got;
  try {
    got = run_spread(s, in, device, path);
  } catch (const gpu::GpuError& error) {
    if (error.code() != gpu::kOutOfMemory) throw;
    outcome.status = Status::kSkipped;
    outcome.text = "  " + std::string(error.what()) + "\n";
    return outcome;
  }
  compare_with_truth(outcome, s.decode, in, got);
  compare_runs(outcome, "far apart against dense", s.decode, in.layout, got, dense);
  return outcome;
}

std::vector<SparseCase> sparse_table() {
  const std::vector<int> lens = {33, 0, 70};
  const MlaDecodeCase base = small(lens, 2);
  const MlaDecodeCase single = with(small(lens, 2), heads(1));
  const MlaDecodeCase gqa = small_gqa(lens, 2);
  const MlaDecodeCase mha = with(small_gqa(lens, 2), heads(3, 3));
  std::vector<SparseCase> table;
  for (const MlaDecodeCase& c : {base, direct(small(lens)), single, gqa, mha}) {
    // A page of 16 tokens, of the wider cache, in a stride that is as large or larger.
    const std::int64_t page = 16 * c.kv_heads * c.head_dim;
    table.push_back({.what = "pages=2^16", .decode = c, .page_stride = page, .first_page = 65534});
    table.push_back({.what = "pages=2^24", .decode = c, .page_stride = page, .first_page = (1 << 24) - 2});
    table.push_back({.what = "cache=2^31", .decode = c, .page_stride = page, .first_page = kBillion2 / page - 2});
    table.push_back({.what = "cache=2^32", .decode = c, .page_stride = page, .first_page = 2 * kBillion2 / page - 2});
    table.push_back({.what = "page_stride=2^30", .decode = c, .page_stride = kBillion2 / 2, .first_page = 0});
  }
  const MlaDecodeCase codes = with(base, e4m3(0.06f));
  table.push_back({.what = "cache=2^32", .decode = codes, .page_stride = 640, .first_page = 2 * kBillion2 / 640 - 2});
  const MlaDecodeCase wide = with(base, dims(128, 128), heads(16), tensor_cores);
  table.push_back({.what = "cache=2^32", .decode = wide, .page_stride = 2048, .first_page = 2 * kBillion2 / 2048 - 2});

  for (const MlaDecodeCase& c : {base, single, gqa, wide}) {
    table.push_back({.what = "scratch_row=2^31", .decode = c, .scratch_row = kBillion2 + 11});
    if (c.heads > 1) {
      table.push_back({.what = "scratch_head=2^31", .decode = c, .scratch_row = 4099, .scratch_head = kBillion2 + 7});
    }
    table.push_back({.what = "scratch_split=2^31", .decode = c, .scratch_split = kBillion2 + 7});
  }
  table.push_back({.what = "q_row=2^31", .decode = base, .q_row = kBillion2 + 8});
  table.push_back({.what = "out_row=2^31", .decode = base, .out_row = kBillion2 + 8});
  table.push_back({.what = "out_row=2^31", .decode = direct(small(lens)), .out_row = kBillion2 + 8});
  return table;
}

}  // namespace

std::vector<Case> mla_decode_sparse_cases() {
  std::vector<Case> cases;
  for (const SparseCase& s : sparse_table()) cases.push_back({s.name(), [s] { return run_sparse(s); }});
  return cases;
}

}  // namespace offgrid::cases
