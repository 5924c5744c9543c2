// See waivers.h.
#include "probes/waivers.h"

#include <offgrid/portable/vendor.h>

namespace offgrid::probes {
namespace {

struct Waiver {
  bool on_this_runtime;
  std::string_view name;  ///< a part of the probe's name
  const char* reason;
};

constexpr bool kEmulator = OFFGRID_VENDOR_EMU;
constexpr Waiver kWaivers[] = {
    {kEmulator, "fminf(nan,signed_zero)", "fminf of +0 and -0 is the C library's (issue 6, numerics)"},
    {kEmulator, "fmaxf(nan,signed_zero)", "fmaxf of +0 and -0 is the C library's (issue 6, numerics)"},
    {kEmulator, "min.NaN.f32", "the NaN of min.NaN is not the device's (issue 6, numerics)"},
};

}  // namespace

std::string waiver_of(std::string_view probe) {
  for (const Waiver& one : kWaivers) {
    if (one.on_this_runtime && probe.find(one.name) != std::string_view::npos) return one.reason;
  }
  return "";
}

}  // namespace offgrid::probes
