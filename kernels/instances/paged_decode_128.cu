// Paged decode with heads of 128: a row here is a variant that is built.
#include <offgrid/portable/device.h>

#include "paged/decode_instance.cuh"

namespace offgrid::kernels {
namespace {

constexpr PagedDecodeInstance kInstances[] = {
    paged_decode_instance<portable::Fp16, 128>(),
    paged_decode_instance<portable::E4m3, 128>(),
    paged_decode_instance<std::int8_t, 128>(),
};

}  // namespace

std::span<const PagedDecodeInstance> paged_decode_128_instances() { return kInstances; }

}  // namespace offgrid::kernels
