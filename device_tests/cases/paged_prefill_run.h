// Running paged prefill cases.
#pragma once

#include <offgrid/cases/case.h>

#include "cases/paged_prefill_case.h"

namespace offgrid::cases {

/// Runs the case and judges it: fp64, exact zeros, nothing but the rows of the result written, partial results written
/// exactly where tokens are, the kernels and grids that the case names.
Outcome run_paged_prefill(const PagedPrefillCase& one);

}  // namespace offgrid::cases
