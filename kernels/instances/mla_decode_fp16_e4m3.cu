// MLA decode in fp16 with e4m3 caches: a row here is a variant that is built.
#include <offgrid/portable/device.h>

#include "mla/instance.cuh"

namespace offgrid::kernels {
namespace {

using portable::E4m3;
using portable::Fp16;

constexpr MlaDecodeInstance kInstances[] = {
    mla_instance<Fp16, float, 576, 512, E4m3>(),  // DeepSeek V2, V2-Lite, V3, R1
    mla_instance<Fp16, Fp16, 576, 512, E4m3>(),
    mla_instance<Fp16, float, 288, 256, E4m3>(),  // half the width of everything
    mla_instance<Fp16, Fp16, 288, 256, E4m3>(),
    mla_instance<Fp16, float, 40, 32, E4m3>(),  // small, for tests that run thousands of shapes
    mla_instance<Fp16, Fp16, 40, 32, E4m3>(),
};

}  // namespace

std::span<const MlaDecodeInstance> mla_decode_fp16_e4m3_instances() { return kInstances; }

}  // namespace offgrid::kernels
