// The paged prefill cases.
#pragma once

#include <offgrid/cases/case.h>
#include <offgrid/kernels/paged_prefill_plan.h>

#include <vector>

#include "cases/paged_case.h"

namespace offgrid::cases {

/// c.kernel is "prefill_general", "prefill_short", "prefill_gqa" or "prefill_split_kv"; c.num_kv_splits is that of the
/// last one, and not looked at for the others.
struct PagedPrefillCase {
  PagedCase c;
  /// The first requests go through decode, the rest through prefill with starts of its own, as a batch is run whose
  /// decode rows are split off. c.kernel is then "split_batch_general" and so on.
  int decode_requests = 0;
  double largest_relative = 0;  ///< |got - want| / (|want| + 1e-3); 0: only the derived bound counts
  bool rows_alone = false;      ///< tokens give the same bits when they are a batch of their own; not with splits
};

/// errors  std::logic_error if the case's name says no kernel
kernels::PagedPrefillKernel prefill_kernel_of(const PagedCase& c);

std::vector<PagedPrefillCase> paged_prefill_table();

/// The table as registered cases.
std::vector<Case> paged_prefill_cases();

}  // namespace offgrid::cases
