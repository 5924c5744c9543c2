// Decode with values of their own (GQA, MHA) in bf16 with e4m3 caches: a row here is a variant that is built.
#include <offgrid/portable/device.h>

#include "mla/instance.cuh"

namespace offgrid::kernels {
namespace {

using portable::Bf16;
using portable::E4m3;

constexpr MlaDecodeInstance kInstances[] = {
    gqa_instance<Bf16, Bf16, 128, 128, E4m3>(), gqa_instance<Bf16, Bf16, 128, 512, E4m3>(),
    gqa_instance<Bf16, Bf16, 576, 128, E4m3>(), gqa_instance<Bf16, Bf16, 576, 512, E4m3>(),
    gqa_instance<Bf16, float, 40, 32, E4m3>(),  // small, for tests that run thousands of shapes
};

}  // namespace

std::span<const MlaDecodeInstance> gqa_decode_bf16_e4m3_instances() { return kInstances; }

}  // namespace offgrid::kernels
