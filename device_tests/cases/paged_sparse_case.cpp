// See paged_sparse_case.h. The pages of a case are moved to far places of a cache that is mostly never touched: decode
// must read them there and give the same bits.
#include "cases/paged_sparse_case.h"

#include <optional>

#include "cases/paged_decode_run.h"
#include "cases/paged_judge.h"
#include "cases/sparse_memory.h"

namespace offgrid::cases {
namespace {

struct SparseCase {
  PagedCase c;
  std::int64_t first_page;  // page p becomes first_page + p
  std::string name() const { return "sparse(first_page=" + std::to_string(first_page) + "," + c.name() + ")"; }
};

SparseBuffer spread(const PagedInputs& in, std::int64_t first_page) {
  const PagedMemory& m = in.memory;
  SparseBuffer pool(first_page * m.page + m.bytes, 1);
  pool.write(first_page * m.page, in.cache.data(), m.bytes);
  return pool;
}

Outcome run(const SparseCase& one) {
  Outcome outcome;
  const PagedCase& c = one.c;
  const PagedInputs in = make_paged_inputs(c);
  PagedDevice device(c, in);
  const PagedOutputs near = run_paged_decode_kernels(outcome, c, device);
  compare_with_truth(outcome, c, in, near, paged_decode_bound_arithmetic(c), PaddingRows::kZero);

  const UnlimitedMemory unlimited;
  std::optional<SparseBuffer> pool;
  try {
    pool.emplace(spread(in, one.first_page));
  } catch (const gpu::GpuError& error) {
    if (error.code() != gpu::kOutOfMemory) throw;
    return {.status = Status::kSkipped, .text = "  not enough memory: " + std::string(error.what()) + "\n"};
  }
  std::vector<std::int32_t> table = in.page_table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::size_t row = i / static_cast<std::size_t>(in.table_stride),
                      entry = i % static_cast<std::size_t>(in.table_stride);
    const int kv_len = row < c.requests.size() ? c.requests[row].kv_len : 0;
    if (static_cast<std::int64_t>(entry) * c.page_size < kv_len) table[i] += static_cast<std::int32_t>(one.first_page);
  }
  device.upload_page_table(table);
  kernels::PagedAttentionParams& p = device.params();
  const auto move = [&](const void* pointer) -> const void* {
    if (pointer == nullptr) return nullptr;
    return static_cast<const unsigned char*>(pool->data()) +
           (static_cast<const unsigned char*>(pointer) - device.cache());
  };
  p.key_cache = move(p.key_cache);
  p.value_cache = move(p.value_cache);
  if (c.kv_type == kernels::PagedKvType::kInt8) {
    p.k_scale = static_cast<const float*>(move(p.k_scale));
    p.v_scale = static_cast<const float*>(move(p.v_scale));
  }
  compare_outs(outcome, "far pages", c, in, run_paged_decode_kernels(outcome, c, device), near);
  return outcome;
}

// head_dim 256, 4 KV heads, pages of 784: page * page_stride passes 2^31 at page 2675 (dense) or 1338 (hybrid).
std::vector<SparseCase> table() {
  std::vector<SparseCase> cases;
  for (const auto kv_type : {kernels::PagedKvType::kFp16, kernels::PagedKvType::kE4m3, kernels::PagedKvType::kInt8}) {
    const PagedCase c{.kv_type = kv_type,
                      .head_dim = 256,
                      .heads = 8,
                      .kv_heads = 4,
                      .requests = {{1, 800}, {2, 30}},
                      .page_size = 784,
                      .num_kv_splits = 2};
    for (const std::int64_t first_page : {1337, 2 * 1338 + 3}) cases.push_back({c, first_page});
  }
  PagedCase grouped = cases.front().c;
  grouped.kernel = "decode_grouped";
  cases.push_back({grouped, 1337});
  return cases;
}

}  // namespace

std::vector<Case> paged_sparse_cases() {
  std::vector<Case> cases;
  for (const SparseCase& one : table()) {
    Case added;
    added.name = one.name();
    added.run = [one] { return run(one); };
    cases.push_back(std::move(added));
  }
  return cases;
}

}  // namespace offgrid::cases
