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

std::string help_text(const Finding& finding) {
  return finding.help.empty() ? std::string(finding_info(finding.id).help) : finding.help;
}

std::vector<KindName> all_kind_names() {
  std::vector<KindName> names;
  for (const FindingInfo& info : kFindings) {
    const std::string name(info.kind);
    names.push_back({name, &info});
    if (info.id != FindingId::kOutOfBounds) continue;
    names.push_back({name + "-read", &info});
    names.push_back({name + "-write", &info});
  }
  return names;
}

}  // namespace offgrid::emu
