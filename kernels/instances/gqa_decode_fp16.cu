// Decode with values of their own (GQA, MHA) in fp16: a row here is a variant that is built.
#include <offgrid/portable/device.h>

#include "mla/instance.cuh"

namespace offgrid::kernels {
namespace {

using portable::E4m3;
using portable::Fp16;

constexpr MlaDecodeInstance kInstances[] = {
    gqa_instance<Fp16, float, 128, 128>(),  // Llama, Qwen
    gqa_instance<Fp16, float, 40, 32>(),    // small, for tests that run thousands of shapes
    gqa_instance<Fp16, Fp16, 40, 32>(),
    gqa_instance<Fp16, float, 40, 32, E4m3>(),
};

}  // namespace

std::span<const MlaDecodeInstance> gqa_decode_fp16_instances() { return kInstances; }

}  // namespace offgrid::kernels
