// Looks up a variant and checks the call before anything is queued.
#include <offgrid/kernels/mla_decode.h>

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

const MlaDecodeInstance& find(const MlaDecodeVariant& variant) {
  for (const auto table : {mla_decode_bf16_instances(), mla_decode_fp16_instances()}) {
    for (const MlaDecodeInstance& instance : table) {
      if (instance.variant == variant) return instance;
    }
  }
  throw std::invalid_argument("mla_decode: no instance for " + text_of(variant) + "; see kernels/instances/");
}

}  // namespace

std::span<const MlaDecodeVariant> mla_decode_variants() {
  static const std::vector<MlaDecodeVariant> variants = [] {
    std::vector<MlaDecodeVariant> all;
    for (const auto table : {mla_decode_bf16_instances(), mla_decode_fp16_instances()}) {
      for (const MlaDecodeInstance& instance : table) all.push_back(instance.variant);
    }
    return all;
  }();
  return variants;
}

MlaDecodeArithmetic mla_decode_arithmetic(const MlaDecodeVariant& variant) { return find(variant).arithmetic; }

void mla_decode(const MlaDecodeVariant& variant, const MlaDecodeParams& params, const DecodePlan& plan, void* stream) {
  const MlaDecodeInstance& instance = find(variant);
  if (params.num_kv_splits != plan.num_kv_splits || params.num_kv_splits < 1) {
    throw std::invalid_argument("mla_decode: params and plan differ in num_kv_splits");
  }
  if (plan.path == DecodePath::kDirect && plan.num_kv_splits != 1) {
    throw std::invalid_argument("mla_decode: direct output needs one split");
  }
  if (params.page_size < 1 || params.num_q_heads < 1 || params.num_kv_heads < 1 || !(params.logit_cap >= 0)) {
    throw std::invalid_argument("mla_decode: page_size and numbers of heads are at least 1, logit_cap at least 0");
  }
  if (params.num_q_heads % params.num_kv_heads != 0) {
    throw std::invalid_argument("mla_decode: num_kv_heads does not divide num_q_heads");
  }
  if (params.index_words != 1 && params.index_words != 2) {
    throw std::invalid_argument("mla_decode: page_table and kv_lens are int32 or int64, 1 or 2 words an entry");
  }
  if (plan.stage1.x == 0) return;
  instance.launch(params, plan, stream);
}

}  // namespace offgrid::kernels
