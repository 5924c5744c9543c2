// Paged decode with heads of 256: a row here is a variant that is built.
#include <offgrid/portable/device.h>

#include "paged/decode_instance.cuh"

namespace offgrid::kernels {
namespace {

constexpr PagedDecodeInstance kInstances[] = {
    paged_decode_instance<portable::Fp16, 256>(),
    paged_decode_instance<portable::E4m3, 256>(),
    paged_decode_instance<std::int8_t, 256>(),
    paged_decode_grouped_instance<256>(),
};

}  // namespace

std::span<const PagedDecodeInstance> paged_decode_256_instances() { return kInstances; }

}  // namespace offgrid::kernels
