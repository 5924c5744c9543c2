// Decode context parallelism from end to end: every rank decodes its part of each row's tokens, then the parts are
// merged in one of the two forms.
#pragma once

#include <offgrid/cases/case.h>

#include <string>
#include <vector>

namespace offgrid::cases {

enum class DcpForm {
  kAllToAll,   ///< a rank gets its share of the heads from all ranks, and merges them
  kAllGather,  ///< a rank gets every lse and corrects its output; the sum over the ranks is the result
};

struct DcpCase {
  DcpForm form;
  int ranks;
  int interleave;
  std::vector<int> kv_lens;

  /// "dcp(form=all_to_all,ranks=3,interleave=16,kv_len=1+40+0)"
  std::string name() const;
};

/// Judges lengths of the ranks against counting, and the result against fp64 of the whole rows with the bound of a
/// merge of decoded parts.
Outcome run_dcp(const DcpCase& c);

/// The cases: E36 of the functional specification (4.6).
std::vector<Case> dcp_cases();

}  // namespace offgrid::cases
