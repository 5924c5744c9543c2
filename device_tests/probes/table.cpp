// The list of all probes of a build.
#include <offgrid/portable/vendor.h>

#include "probes/probe.h"

namespace offgrid::probes {

std::vector<Probe> all_probes() {
  std::vector<Probe> all;
  add_shuffle_probes(all);
  add_vote_probes(all);
  add_barrier_probes(all);
  add_atomic_probes(all);
  add_integer_probes(all);
  add_memory_probes(all);
#if !OFFGRID_VENDOR_HIP
  add_arithmetic_probes(all);
  add_conversion_probes(all);
  add_packed_integer_probes(all);
  add_half_probes(all);
  add_matrix_probes(all);
  add_special_probes(all);
#endif
  return all;
}

}  // namespace offgrid::probes
