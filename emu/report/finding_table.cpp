#include "report/finding_table.h"

namespace offgrid::emu {

const FindingInfo& finding_info(FindingId id) { return kFindings[static_cast<std::size_t>(id)]; }

std::string kind_name(const Finding& finding) {
  std::string kind(finding_info(finding.id).kind);
  if (finding.id == FindingId::kOutOfBounds) {
    const std::string& role = finding.sites.empty() ? kind : finding.sites.front().role;
    if (role == "read" || role == "write") kind += "-" + role;
  }
  return kind;
}

}  // namespace offgrid::emu
