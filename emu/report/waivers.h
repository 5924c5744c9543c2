/// Which waiver, if any, excuses a finding. read_waivers is declared in <offgrid/emu/report.h>.
#pragma once

#include <offgrid/emu/report.h>

#include <string>
#include <vector>

#include "report/resolved_site.h"

namespace offgrid::emu {

/// The waivers of a run, and which of them have been needed.
class WaiverList {
 public:
  explicit WaiverList(std::vector<Waiver> waivers) : waivers_(std::move(waivers)), matched_(waivers_.size()) {}

  /// The first waiver that fits; null if none does. All that fit count as matched. The pointer stays valid.
  const Waiver* find(const Finding& finding, const std::vector<ResolvedSite>& sites);

  std::vector<const Waiver*> unmatched() const;

 private:
  std::vector<Waiver> waivers_;
  std::vector<bool> matched_;
};

/// True if the waiver fits a finding of this kind, in this kernel, with its main site here.
bool waives(const Waiver& waiver, const std::string& kind, const std::string& kernel, const std::string& file,
            unsigned line);

/// "oob-read copy* decode.cuh:142": the waiver's columns.
std::string waiver_columns(const Waiver& waiver);

}  // namespace offgrid::emu
