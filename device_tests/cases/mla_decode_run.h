// A case from its parameters to its outcome.
#pragma once

#include <offgrid/cases/case.h>

#include "cases/mla_decode_case.h"

namespace offgrid::cases {

/// Runs the case and judges it:
/// - out and lse against fp64, with the bound of reference/README.md "decode bound";
/// - gaps between rows of outputs keep their poison, scratch of splits that do not exist too;
/// - the direct path leaves scratch alone, launches one kernel (where launches can be counted), and equals two stages
///   bit for bit.
Outcome run_mla_decode(const MlaDecodeCase& c);

/// The table as registered cases.
std::vector<Case> mla_decode_cases();

}  // namespace offgrid::cases
