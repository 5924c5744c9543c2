// Prefill over caches of int8.
#include "paged/prefill_instance.cuh"

namespace offgrid::kernels {

std::span<const PagedPrefillInstance> paged_prefill_int8_instances() { return kPagedPrefillInstances<std::int8_t>; }

}  // namespace offgrid::kernels
