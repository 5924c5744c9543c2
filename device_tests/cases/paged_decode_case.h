// The paged decode cases.
#pragma once

#include <offgrid/cases/case.h>

#include <vector>

#include "cases/paged_case.h"

namespace offgrid::cases {

/// kernel is "decode" or "decode_grouped".
struct PagedDecodeCase {
  PagedCase c;
  double largest_relative = 0;     ///< |got - want| / (|want| + 1e-3); 0: only the derived bound counts
  bool against_no_starts = false;  ///< run without cu_query_lens too: the same bits
};

std::vector<PagedDecodeCase> paged_decode_table();

/// The table as registered cases.
std::vector<Case> paged_decode_cases();

}  // namespace offgrid::cases
