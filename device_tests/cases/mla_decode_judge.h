// Judgements of one run of decode attention.
#pragma once

#include <offgrid/cases/case.h>

#include <string>

#include "cases/mla_decode_device.h"

namespace offgrid::cases {

/// The bound for what the variant computes with these inputs.
reference::MlaDecodeBound bound_of(const MlaDecodeCase& c, const MlaDecodeInputs& in);

/// out and lse against fp64, with the bound of reference/README.md "decode bound".
void compare_with_truth(Outcome& outcome, const MlaDecodeCase& c, const MlaDecodeInputs& in,
                        const MlaDecodeOutputs& got);

/// The same for the logical elements of both.
void compare_with_truth(Outcome& outcome, const MlaDecodeCase& c, const MlaDecodeInputs& in,
                        const std::vector<std::uint32_t>& out, const std::vector<std::uint32_t>& lse);

/// Every element of the results is written, and nothing else: gaps between rows and the scratch of splits that do not
/// exist keep their poison, and the direct path leaves all of the scratch alone.
void check_extent(Outcome& outcome, const MlaDecodeCase& c, const MlaDecodeLayout& l, const MlaDecodeOutputs& got,
                  kernels::DecodePath path);

/// out and lse of two runs of the same inputs agree in bits; `what` says which runs.
void compare_runs(Outcome& outcome, const std::string& what, const MlaDecodeCase& c, const MlaDecodeLayout& l,
                  const MlaDecodeOutputs& got, const MlaDecodeOutputs& want);

}  // namespace offgrid::cases
