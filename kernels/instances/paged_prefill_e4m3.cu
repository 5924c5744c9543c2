// Prefill over caches of e4m3.
#include "paged/prefill_instance.cuh"

namespace offgrid::kernels {

std::span<const PagedPrefillInstance> paged_prefill_e4m3_instances() { return kPagedPrefillInstances<portable::E4m3>; }

}  // namespace offgrid::kernels
