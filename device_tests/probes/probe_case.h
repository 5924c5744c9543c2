// Probes as cases: run, compared bit for bit with what they must give.
#pragma once

#include <offgrid/cases/case.h>

#include "probes/probe.h"

namespace offgrid::probes {

/// What the probe's kernel wrote, as one tensor.
/// errors  gpu::GpuError if the launch fails
cases::ResultTensor run_probe(const Probe& probe);

/// Equal in every bit (of a float format: any NaN for any other), or the first difference.
cases::Outcome judge_probe(const Probe& probe, const cases::ResultTensor& got);

/// "probe(NAME)" each.
std::vector<cases::Case> probe_cases();

}  // namespace offgrid::probes
