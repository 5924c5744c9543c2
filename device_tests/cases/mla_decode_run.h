// A case from its parameters to its outcome.
#pragma once

#include <offgrid/cases/case.h>

#include <string_view>

#include "cases/mla_decode_case.h"

namespace offgrid::cases {

/// Runs the case and judges it:
/// - out and lse against fp64, with the bound of reference/README.md "decode bound";
/// - every element of the results is written, and nothing else: gaps between rows and the scratch of splits that do not
///   exist keep their poison, and the direct path leaves all of the scratch alone;
/// - the direct path launches one kernel, two stages launch two (where launches can be counted);
/// - the direct path equals two stages bit for bit;
/// - with repeated pages, the same tokens in pages of one token give the same bits.
Outcome run_mla_decode(const MlaDecodeCase& c);

/// Out and lse of the case as a variant of it (variant_of); none if the variant is not built or cannot run here, or if
/// planning takes another path than the variant asks for.
Results mla_decode_results(const MlaDecodeCase& c, std::string_view variant);

/// Such results, of whatever device, against fp64.
Outcome judge_mla_decode(const MlaDecodeCase& c, const Results& results);

/// The table as registered cases.
std::vector<Case> mla_decode_cases();

}  // namespace offgrid::cases
