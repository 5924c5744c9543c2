// Judging results that were got elsewhere.
#pragma once

#include <string>
#include <vector>

#include "runner/results_file.h"

namespace offgrid::cases {

/// One case of a file, judged here: against the truth where the case can, else against this program's own results, as
/// are tensors that the file holds by their digest alone.
struct Verdict {
  std::string name;
  Outcome outcome;
};

std::vector<Verdict> verify_results(const ResultsFile& file);

}  // namespace offgrid::cases
