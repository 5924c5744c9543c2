// Decode with values of their own (GQA, MHA) in bf16: a row here is a variant that is built.
#include <offgrid/portable/device.h>

#include "mla/instance.cuh"

namespace offgrid::kernels {
namespace {

using portable::Bf16;

constexpr MlaDecodeInstance kInstances[] = {
    gqa_instance<Bf16, Bf16, 128, 128>(),  gqa_instance<Bf16, Bf16, 128, 512>(), gqa_instance<Bf16, Bf16, 192, 128>(),
    gqa_instance<Bf16, Bf16, 192, 512>(),  gqa_instance<Bf16, Bf16, 576, 128>(), gqa_instance<Bf16, Bf16, 576, 512>(),
    gqa_instance<Bf16, float, 128, 128>(),  // Llama, Qwen
    gqa_instance<Bf16, float, 40, 32>(),    // small, for tests that run thousands of shapes
    gqa_instance<Bf16, Bf16, 40, 32>(),
};

}  // namespace

std::span<const MlaDecodeInstance> gqa_decode_bf16_instances() { return kInstances; }

}  // namespace offgrid::kernels
