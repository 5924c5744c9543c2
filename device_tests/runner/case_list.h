// Lists of cases as plain text, what `gen` writes and `run FILE` reads: a first line, then one name a line.
#pragma once

#include <offgrid/cases/case.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace offgrid::cases {

void write_case_list(std::ostream& to, const std::vector<const Case*>& cases);

/// errors  std::runtime_error for other text, a name that this program has no case for, or one that is there twice:
///         the line and the rule
std::vector<const Case*> read_case_list(std::istream& from);

}  // namespace offgrid::cases
