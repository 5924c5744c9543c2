/// The commands over the registered cases. Each takes its own name and the arguments behind it and returns the exit
/// status: 0 clean, 1 mismatches or findings, 2 usage.
#pragma once

#include <span>

namespace offgrid::cases {

/// run [--only PATTERN] [--long]: runs the cases, one line each, failures with their details. Long ones only with
/// --long or by their whole name. run --save FILE: writes the cases' results, bit patterns as text. run --against FILE:
/// runs the cases again and compares with such a file, of another build or device, bit for bit. run --against VARIANT:
/// runs each case as it is and as the variant ("path=two_stage"), and compares bit for bit.
int run_command(std::span<char*> arguments);

/// list [--only PATTERN]: prints the names.
int list_command(std::span<char*> arguments);

/// demo: runs the cases marked for it and prints their errors against fp64 as a table.
int demo_command(std::span<char*> arguments);

}  // namespace offgrid::cases
