/// The commands over the registered cases. Each takes its own name and the arguments behind it and returns the exit
/// status: 0 clean, 1 mismatches or findings, 2 usage.
#pragma once

#include <span>

namespace offgrid::cases {

/// run [--only PATTERN] [--long]: runs the cases, one line each, failures with their details. Long ones only with
/// --long or by their whole name. run --save FILE: writes the cases' results, bit patterns as text. run --against FILE:
/// runs the cases again and compares with such a file, of another build or device, bit for bit. run --against VARIANT:
/// runs each case as it is and as the variant ("path=two_stage"), and compares bit for bit.
/// run LIST: runs the cases of a list that gen wrote, and writes their results to standard output.
int run_command(std::span<char*> arguments);

/// gen [--only PATTERN] [--long]: writes the list of the cases that have results.
int gen_command(std::span<char*> arguments);

/// verify FILE: judges results that another build or device gave: against the truth, or against this program's own.
int verify_command(std::span<char*> arguments);

/// compare A B: the first difference of two files of results, with its element and values, a histogram of distances in
/// ulp, the cases that differ or are in one file only. Status 0: nothing differs; 1: something does; 2: damaged files,
/// or files that have nothing in common.
int compare_command(std::span<char*> arguments);

/// page OUT.html FILE...: one static HTML page of files of results, judged here, and pictures of timings (.svg).
int page_command(std::span<char*> arguments);

/// list [--only PATTERN]: prints the names.
int list_command(std::span<char*> arguments);

/// demo: runs the cases marked for it and prints their errors against fp64 as a table.
int demo_command(std::span<char*> arguments);

}  // namespace offgrid::cases
