// MLA decode in bf16 with e4m3 caches: a row here is a variant that is built.
#include <offgrid/portable/device.h>

#include "mla/instance.cuh"

namespace offgrid::kernels {
namespace {

using portable::Bf16;
using portable::E4m3;

constexpr MlaDecodeInstance kInstances[] = {
    mla_instance<Bf16, float, 576, 512, E4m3>(),  // DeepSeek V2, V2-Lite, V3, R1
    mla_instance<Bf16, Bf16, 576, 512, E4m3>(),
    mla_instance<Bf16, float, 288, 256, E4m3>(),  // half the width of everything
    mla_instance<Bf16, Bf16, 288, 256, E4m3>(),
    mla_instance<Bf16, float, 40, 32, E4m3>(),  // small, for tests that run thousands of shapes
    mla_instance<Bf16, Bf16, 40, 32, E4m3>(),
};

}  // namespace

std::span<const MlaDecodeInstance> mla_decode_bf16_e4m3_instances() { return kInstances; }

}  // namespace offgrid::kernels
