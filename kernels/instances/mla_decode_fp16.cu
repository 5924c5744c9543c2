// MLA decode in fp16: a row here is a variant that is built.
#include <offgrid/portable/device.h>

#include "mla/instance.cuh"

namespace offgrid::kernels {
namespace {

using portable::Fp16;

constexpr MlaDecodeInstance kInstances[] = {
    mla_instance<Fp16, float, 576, 512>(),                                         // DeepSeek V2, V2-Lite, V3, R1
    mla_instance<Fp16, Fp16, 576, 512>(),  mla_instance<Fp16, float, 288, 256>(),  // half the width of everything
    mla_instance<Fp16, Fp16, 288, 256>(),  mla_instance<Fp16, float, 320, 256>(),  // Mistral Small 4
    mla_instance<Fp16, Fp16, 320, 256>(),  mla_instance<Fp16, float, 128, 128>(),  // no rope columns
    mla_instance<Fp16, float, 40, 32>(),  // small, for tests that run thousands of shapes
    mla_instance<Fp16, Fp16, 40, 32>(),
};

}  // namespace

std::span<const MlaDecodeInstance> mla_decode_fp16_instances() { return kInstances; }

}  // namespace offgrid::kernels
