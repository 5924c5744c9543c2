#include "report/run_record.h"

#include "report/source_excerpt.h"
#include "report/text_report.h"

namespace offgrid::emu {

std::string where_text(const Finding& finding, const std::vector<ResolvedSite>& sites, const FormatOptions& format) {
  std::string text;
  if (!sites.empty() && !sites.front().file.empty()) {
    text = " at " + display_path(sites.front().file, format.base_directory) + ":" + std::to_string(sites.front().line);
  } else if (!sites.empty() && !sites.front().function.empty()) {
    text = " in " + sites.front().function;
  } else {
    text = ": " + finding.headline;
  }
  return text + (finding.place.kernel.empty() ? "" : " in " + finding.place.kernel);
}

std::string finding_label(const Finding& finding, const std::vector<ResolvedSite>& sites, const FormatOptions& format) {
  return std::string(severity_name(finding.severity)) + "[" + kind_name(finding) + "]" +
         where_text(finding, sites, format);
}

}  // namespace offgrid::emu
