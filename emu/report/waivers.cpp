#include "report/waivers.h"

#include <filesystem>
#include <string_view>

#include "report/finding_table.h"

namespace offgrid::emu {
namespace {

/// `*` in the pattern stands for any text, also none.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {  // the last star takes one more character
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

/// True if `path` ends with the components of `suffix`: "mla/decode.cuh" does with "decode.cuh", not with "code.cuh".
bool ends_with_components(const std::string& path, const std::string& suffix) {
  const std::string end = "/" + std::filesystem::path(suffix).lexically_normal().string();
  const std::string whole = "/" + std::filesystem::path(path).lexically_normal().string();
  return whole.size() >= end.size() && whole.compare(whole.size() - end.size(), end.size(), end) == 0;
}

/// "oob" waives both "oob-read" and "oob-write".
bool kind_fits(const std::string& waived, const std::string& kind) {
  if (waived == kind) return true;
  return waived == finding_info(FindingId::kOutOfBounds).kind && kind.rfind(waived + "-", 0) == 0;
}

}  // namespace

bool waives(const Waiver& waiver, const std::string& kind, const std::string& kernel, const std::string& file,
            unsigned line) {
  return kind_fits(waiver.kind, kind) && matches(waiver.kernel, kernel) &&
         (waiver.file.empty() || ends_with_components(file, waiver.file)) && (waiver.line == 0 || waiver.line == line);
}

const Waiver* WaiverList::find(const Finding& finding, const std::vector<ResolvedSite>& sites) {
  const ResolvedSite nowhere;
  const ResolvedSite& main = sites.empty() ? nowhere : sites.front();
  const std::string kind = kind_name(finding);
  const Waiver* first = nullptr;
  for (std::size_t i = 0; i < waivers_.size(); ++i) {
    if (!waives(waivers_[i], kind, finding.place.kernel, main.file, main.line)) continue;
    matched_[i] = true;
    if (first == nullptr) first = &waivers_[i];
  }
  return first;
}

std::vector<const Waiver*> WaiverList::unmatched() const {
  std::vector<const Waiver*> rest;
  for (std::size_t i = 0; i < waivers_.size(); ++i) {
    if (!matched_[i]) rest.push_back(&waivers_[i]);
  }
  return rest;
}

std::string waiver_columns(const Waiver& waiver) {
  std::string text = waiver.kind + " " + waiver.kernel;
  if (!waiver.file.empty()) text += " " + waiver.file + (waiver.line == 0 ? "" : ":" + std::to_string(waiver.line));
  return text;
}

}  // namespace offgrid::emu
