/// A run as SARIF 2.1.0, for code scanning pages and editors.
#pragma once

#include <string>

#include "report/run_record.h"

namespace offgrid::emu {

/// The whole file: one run, a rule for each kind of finding, a result for each listed finding.
std::string sarif_report(const RunRecord& run, const ReporterOptions& options);

/// `path` as the path of a URI: bytes that a URI cannot hold are percent-encoded.
std::string uri_path(const std::string& path);

}  // namespace offgrid::emu
