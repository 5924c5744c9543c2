// Bit for bit: results of a case against those of a variant, or against results that were saved.
#pragma once

#include <offgrid/cases/case.h>

#include <iosfwd>
#include <map>
#include <string>

namespace offgrid::cases {

/// Equal bits, or a failure that shows the first difference: tensor, element, both values, their distance in ulp. NaNs
/// are equal whatever their payload. `other` says what `want` is: "path=two_stage".
Outcome compare_results(const Results& got, const Results& want, const std::string& other);

/// Text: a line `case NAME`, then for each tensor `tensor NAME FORMAT DIM=SIZE ...` and its codes in hexadecimal.
void write_results(std::ostream& to, const std::string& case_name, const Results& results);

/// By the case's name.
/// errors  std::runtime_error for text that write_results did not write, with the line and the rule
std::map<std::string, Results> read_results(std::istream& from);

}  // namespace offgrid::cases
