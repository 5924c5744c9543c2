/// A run as JUnit XML, for the test pages of build servers.
#pragma once

#include <string>

#include "report/run_record.h"

namespace offgrid::emu {

/// The whole file: one suite, named after the program, with a test case for each listed finding; README.md tells which
/// of them fail.
std::string junit_report(const RunRecord& run, const ReporterOptions& options);

/// `text` as XML text or attribute value; characters that XML cannot hold become U+FFFD.
std::string xml_text(const std::string& text);

}  // namespace offgrid::emu
