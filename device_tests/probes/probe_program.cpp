// The probes as a program: offgrid-probes, offgrid-probes-cuda, offgrid-probes-hip, offgrid-probes-naive.
#include "probes/probe_case.h"

namespace offgrid::probes {
namespace {

const cases::AddCases kProbes{probe_cases()};

}  // namespace
}  // namespace offgrid::probes
