// Looks up a variant and checks the call before anything is queued.
#include <offgrid/kernels/mla_decode.h>
#include <offgrid/portable/gpu.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "instances/mla_decode_instance.h"

namespace offgrid::kernels {
namespace {

std::string text_of(const MlaDecodeVariant& v) {
  return std::string(name_of(v.dtype)) + ", cache " + std::string(name_of(v.kv_dtype())) + ", lse " +
         std::string(name_of(v.lse_dtype)) + ", " + std::to_string(v.head_dim) + "/" + std::to_string(v.value_dim) +
         (v.is_mla ? ", MLA" : "") + (v.inner == InnerPath::kTensorCore ? ", tensor cores" : "");
}

const std::vector<MlaDecodeInstance>& instances() {
  static const std::vector<MlaDecodeInstance> all = [] {
    std::vector<MlaDecodeInstance> rows;
    for (const auto table : {mla_decode_bf16_instances(), mla_decode_fp16_instances(), mla_decode_bf16_e4m3_instances(),
                             mla_decode_fp16_e4m3_instances(), mla_decode_bf16_tensor_core_instances(),
                             mla_decode_fp16_tensor_core_instances(), mla_decode_bf16_e4m3_tensor_core_instances(),
                             mla_decode_fp16_e4m3_tensor_core_instances(), gqa_decode_bf16_instances(),
                             gqa_decode_fp16_instances(), gqa_decode_bf16_e4m3_instances()}) {
      rows.insert(rows.end(), table.begin(), table.end());
    }
    return rows;
  }();
  return all;
}

const MlaDecodeInstance& find(const MlaDecodeVariant& variant) {
  for (const MlaDecodeInstance& instance : instances()) {
    if (instance.variant == variant) return instance;
  }
  throw std::invalid_argument("mla_decode: no instance for " + text_of(variant) + "; see kernels/instances/");
}

void require(bool ok, const char* what) {
  if (!ok) throw std::invalid_argument(what);
}

// What planning and arguments must agree on before anything is queued.
void check(const MlaDecodeVariant& variant, const MlaDecodeParams& params, const DecodePlan& plan) {
  require(params.num_kv_splits == plan.num_kv_splits && params.num_kv_splits >= 1,
          "mla_decode: params and plan differ in num_kv_splits");
  require(plan.path == DecodePath::kTwoStage || plan.num_kv_splits == 1, "mla_decode: direct output needs one split");
  require(params.page_size >= 1 && params.num_q_heads >= 1 && params.num_kv_heads >= 1 && params.logit_cap >= 0,
          "mla_decode: page_size and numbers of heads are at least 1, logit_cap at least 0");
  require(params.num_q_heads % params.num_kv_heads == 0, "mla_decode: num_kv_heads does not divide num_q_heads");
  require(params.index_words == 1 || params.index_words == 2,
          "mla_decode: page_table and kv_lens are int32 or int64, 1 or 2 words an entry");
  require(plan.path == DecodePath::kTwoStage || (variant.is_mla && params.num_q_heads > params.num_kv_heads),
          "mla_decode: direct output is for MLA with heads that share their keys");
  require(plan.stage1.y == decode_head_blocks(params.num_q_heads, params.num_kv_heads) &&
              plan.stage2.y == static_cast<unsigned>(params.num_q_heads),
          "mla_decode: params and plan differ in heads");
}

}  // namespace

std::span<const MlaDecodeVariant> mla_decode_variants() {
  static const std::vector<MlaDecodeVariant> variants = [] {
    std::vector<MlaDecodeVariant> all;
    for (const MlaDecodeInstance& instance : instances()) all.push_back(instance.variant);
    return all;
  }();
  return variants;
}

std::string mla_decode_obstacle(const MlaDecodeVariant& variant) {
  const MlaDecodeInstance& instance = find(variant);
  if (instance.cluster_shared == 0) return "";
  if (!gpu::has_clusters()) return "tensor cores: needs thread-block clusters (sm_90 or later)";
  const std::size_t most = gpu::largest_dynamic_shared();
  if (instance.cluster_shared <= most) return "";
  return "tensor cores: needs " + std::to_string(instance.cluster_shared) +
         " bytes of shared memory a block, the device has " + std::to_string(most);
}

MlaDecodeArithmetic mla_decode_arithmetic(const MlaDecodeVariant& variant, bool heads_share_keys) {
  const MlaDecodeInstance& instance = find(variant);
  return heads_share_keys ? instance.grouped : instance.single;
}

void mla_decode(const MlaDecodeVariant& variant, const MlaDecodeParams& params, const DecodePlan& plan, void* stream) {
  const MlaDecodeInstance& instance = find(variant);
  check(variant, params, plan);
  if (plan.stage1.x == 0) return;
  instance.launch(params, plan, stream);
}

}  // namespace offgrid::kernels
