// Looks up a variant of paged decode and checks the call before anything is queued.
#include <offgrid/kernels/paged_decode.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "instances/paged_decode_instance.h"

namespace offgrid::kernels {
namespace {

constexpr int kMaxGroup = 8;
constexpr int kGridLimit = 65'535;  // of y and z on every device

const std::vector<PagedDecodeInstance>& instances() {
  static const std::vector<PagedDecodeInstance> all = [] {
    std::vector<PagedDecodeInstance> rows;
    for (const auto table : {paged_decode_128_instances(), paged_decode_256_instances()}) {
      rows.insert(rows.end(), table.begin(), table.end());
    }
    return rows;
  }();
  return all;
}

const PagedDecodeInstance& find(const PagedDecodeVariant& variant) {
  for (const PagedDecodeInstance& instance : instances()) {
    if (instance.variant == variant) return instance;
  }
  throw std::invalid_argument("paged_decode: no instance for head_dim " + std::to_string(variant.head_dim) +
                              (variant.grouped ? ", grouped" : "") + "; see kernels/instances/paged_decode_*.cu");
}

void require(bool ok, const std::string& what) {
  if (!ok) throw std::invalid_argument("paged_decode: " + what);
}

}  // namespace

std::span<const PagedDecodeVariant> paged_decode_variants() {
  static const std::vector<PagedDecodeVariant> variants = [] {
    std::vector<PagedDecodeVariant> all;
    for (const PagedDecodeInstance& instance : instances()) all.push_back(instance.variant);
    return all;
  }();
  return variants;
}

PagedDecodeArithmetic paged_decode_arithmetic(const PagedDecodeVariant& variant) { return find(variant).arithmetic; }

std::string obstacle_to_grouped_decode(const PagedAttentionParams& p, PagedKvType kv_type, int head_dim) {
  const int group = p.num_q_heads / p.num_kv_heads;
  if (head_dim != 256) return "head_dim is " + std::to_string(head_dim) + ", not 256";
  if (group < 2 || group > kMaxGroup) return std::to_string(group) + " query heads a KV head, not 2 to 8";
  return obstacle_to_vector_loads(p, kv_type);
}

void paged_decode(const PagedDecodeVariant& variant, const PagedAttentionParams& params, void* stream) {
  const PagedDecodeInstance& instance = find(variant);
  check_paged_attention("paged_decode", params, variant.kv_type, variant.head_dim);
  if (params.num_tokens == 0) return;
  require(params.cu_query_lens != nullptr || params.num_requests >= params.num_tokens,
          "without cu_query_lens every token is a request: num_requests is " + std::to_string(params.num_requests) +
              ", num_tokens " + std::to_string(params.num_tokens));
  require(params.partial_out != nullptr && params.partial_max != nullptr && params.partial_sum != nullptr,
          "the three partial buffers are needed; one is null");
  require(params.num_q_heads <= kGridLimit, "num_q_heads does not fit the grid limit of 65535");
  if (variant.grouped) {
    const std::string why = obstacle_to_grouped_decode(params, variant.kv_type, variant.head_dim);
    require(why.empty(), "grouped: " + why);
  }
  const bool wide = obstacle_to_vector_loads(params, variant.kv_type).empty();
  instance.launch(params, wide ? KvLoads::kVector : KvLoads::kScalar, stream);
}

}  // namespace offgrid::kernels
