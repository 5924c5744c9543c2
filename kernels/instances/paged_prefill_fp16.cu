// Prefill over caches of fp16.
#include "paged/prefill_instance.cuh"

namespace offgrid::kernels {

std::span<const PagedPrefillInstance> paged_prefill_fp16_instances() { return kPagedPrefillInstances<portable::Fp16>; }

}  // namespace offgrid::kernels
