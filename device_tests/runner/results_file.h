// Files of results: what cases gave on a device, to be compared and judged elsewhere.
//
//   offgrid-results 2
//   device NVIDIA H200
//   driver driver 13.0, runtime 13.0
//   compiler gcc 13.3.0, CUDA 13.0
//   build 8c3f...
//   case mla_decode(dtype=bf16,...)
//   tensor out bf16 batch=1 num_q_heads=16 value_dim=512 digest=91a0c44f0a7b1c55
//   3f80 bf81 ...                                   32 codes a line; none for a tensor of more than kRawElements
//   case paged(...)
//   skipped needs clusters
//   end 2 cases, checksum 5d9a77b1c0e4f213          of every byte before this line
#pragma once

#include <offgrid/cases/case.h>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "runner/origin.h"

namespace offgrid::cases {

/// A larger tensor is kept as its digest alone.
inline constexpr std::int64_t kRawElements = 16384;

struct ResultsFile {
  Origin origin;
  std::vector<std::pair<std::string, Results>> cases;  ///< by name, in the order of the file

  /// The results of a case, or null.
  const Results* find(const std::string& name) const;
};

/// Of codes in the format's width, every NaN as the format's one NaN: equal for equal tensors.
std::uint64_t digest(const ResultTensor& t);
std::int64_t element_count(const ResultTensor& t);

/// Fills in the digests.
void write_results(std::ostream& to, const ResultsFile& file);

/// errors  std::runtime_error for text that write_results did not write, or that changed since: the line and the rule
ResultsFile read_results(std::istream& from);

/// The same by path; the message names the file.
/// errors  std::runtime_error also if it cannot be opened
ResultsFile read_results_file(const std::string& path);

}  // namespace offgrid::cases
