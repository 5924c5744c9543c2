// What no single call of decode attention can show: relations between calls.
#pragma once

#include <offgrid/cases/case.h>

#include <vector>

namespace offgrid::cases {

/// E12, E39 and E40 of the functional specification (4.6), and its algebra (8.1):
///   permuted_rows(...)   rows in another order, repeated and alone keep their bits: neighbours do not matter
///   repeated(...)        a run again gives the same bits, scratch included
///   shifted_scores(...)  a constant added to every score of a row moves lse by it and leaves out alone
///   split_sweep(...)     any number of splits gives the result of one, within both bounds
std::vector<Case> mla_decode_law_cases();

}  // namespace offgrid::cases
