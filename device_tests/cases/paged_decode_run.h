// Running paged decode cases.
#pragma once

#include <offgrid/cases/case.h>
#include <offgrid/kernels/paged_decode.h>

#include "cases/paged_decode_case.h"
#include "cases/paged_device.h"

namespace offgrid::cases {

/// The variant that a case names: kernel is "decode" or "decode_grouped".
kernels::PagedDecodeVariant paged_decode_variant(const PagedCase& c);
reference::VarlenArithmetic paged_decode_bound_arithmetic(const PagedCase& c);

/// Poisons, launches and takes the results. Fails the outcome if other kernels ran than the case names.
PagedOutputs run_paged_decode_kernels(Outcome& outcome, const PagedCase& c, PagedDevice& device);

/// Runs the case and judges it: fp64, exact zeros, exactly the results written, every partial result written, the
/// kernels that the case names.
Outcome run_paged_decode(const PagedDecodeCase& one);

}  // namespace offgrid::cases
