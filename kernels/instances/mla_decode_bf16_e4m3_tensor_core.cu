// MLA decode in bf16 with e4m3 caches on tensor cores: a row here is a variant that is built. None where there are no
// such units.
#include <offgrid/portable/tensor_core.h>

#if OFFGRID_HAS_TENSOR_CORES
#include "mla/tensor_core_instance.cuh"
#else
#include "instances/mla_decode_instance.h"
#endif

namespace offgrid::kernels {

#if OFFGRID_HAS_TENSOR_CORES
namespace {

using portable::Bf16;
using portable::E4m3;

constexpr MlaDecodeInstance kInstances[] = {
    tensor_core_instance<Bf16, float, 576, 512, E4m3>(),  // DeepSeek V2, V2-Lite, V3, R1
    tensor_core_instance<Bf16, Bf16, 576, 512, E4m3>(),
    tensor_core_instance<Bf16, float, 288, 256, E4m3>(),
    tensor_core_instance<Bf16, float, 128, 128, E4m3>(),
};

}  // namespace

std::span<const MlaDecodeInstance> mla_decode_bf16_e4m3_tensor_core_instances() { return kInstances; }
#else
std::span<const MlaDecodeInstance> mla_decode_bf16_e4m3_tensor_core_instances() { return {}; }
#endif

}  // namespace offgrid::kernels
