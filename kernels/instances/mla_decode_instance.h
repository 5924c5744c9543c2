// One built variant of MLA decode: its name in the table and how to launch it. Plain C++: the table's reader sees no
// kernel.
#pragma once

#include <offgrid/kernels/mla_decode.h>

#include <span>

namespace offgrid::kernels {

struct MlaDecodeInstance {
  MlaDecodeVariant variant;
  MlaDecodeArithmetic grouped;  // where query heads share keys
  MlaDecodeArithmetic single;   // where they do not
  void (*launch)(const MlaDecodeParams& params, const DecodePlan& plan, void* stream);
  std::size_t cluster_shared = 0;  // bytes of dynamic shared memory of a kernel that runs in clusters
};

// One table a file, so that they compile side by side.
std::span<const MlaDecodeInstance> mla_decode_bf16_instances();
std::span<const MlaDecodeInstance> mla_decode_fp16_instances();
std::span<const MlaDecodeInstance> mla_decode_bf16_e4m3_instances();
std::span<const MlaDecodeInstance> mla_decode_fp16_e4m3_instances();
std::span<const MlaDecodeInstance> mla_decode_bf16_tensor_core_instances();
std::span<const MlaDecodeInstance> mla_decode_fp16_tensor_core_instances();
std::span<const MlaDecodeInstance> mla_decode_bf16_e4m3_tensor_core_instances();
std::span<const MlaDecodeInstance> mla_decode_fp16_e4m3_tensor_core_instances();
std::span<const MlaDecodeInstance> gqa_decode_bf16_instances();
std::span<const MlaDecodeInstance> gqa_decode_fp16_instances();
std::span<const MlaDecodeInstance> gqa_decode_bf16_e4m3_instances();

}  // namespace offgrid::kernels
