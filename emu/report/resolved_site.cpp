#include "report/resolved_site.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace offgrid::emu {
namespace {

/// The folder of the emulator's own sources: this file's, less "report/resolved_site.cpp".
std::string_view own_folder() {
  const std::string_view file = __FILE__;
  return file.substr(0, file.rfind('/', file.rfind('/') - 1) + 1);
}

/// Not a place where a user looks for a bug: the emulator's own files and the system's headers.
bool is_library_file(std::string_view file) {
  return file.rfind(own_folder(), 0) == 0 || file.find("/include/offgrid/") != file.npos ||
         file.find("/emu/compat/") != file.npos || file.find("/offgrid/compat/") != file.npos ||
         file.rfind("/usr/include/", 0) == 0 || file.rfind("/usr/lib/", 0) == 0;
}

/// The frames between the innermost and the outermost of the user's; none if all are the emulator's or the system's.
std::vector<CodeFrame> user_frames(std::vector<CodeFrame> frames) {
  const auto is_user = [](const CodeFrame& f) { return !is_library_file(f.file); };
  const auto first = std::find_if(frames.begin(), frames.end(), is_user);
  if (first == frames.end()) return {};
  const auto last = std::find_if(frames.rbegin(), frames.rend(), is_user).base();
  return {std::make_move_iterator(first), std::make_move_iterator(last)};
}

}  // namespace

bool is_background_role(const std::string& role) {
  return role == "allocated" || role == "freed" || role == "launch" || role == "declared";
}

ResolvedSite resolve_site(const FindingSite& site) {
  ResolvedSite resolved{site.role, site.detail, "", 0, "", {}};
  if (site.where.file != nullptr) {
    resolved.file = site.where.file;
    resolved.line = site.where.line;
  } else if (site.pc != 0) {
    const std::vector<CodeFrame> frames = user_frames(resolve_code(site.pc));
    if (frames.empty()) return resolved;
    resolved.file = frames.front().file;
    resolved.line = frames.front().line;
    resolved.function = frames.front().function;
    resolved.callers.assign(frames.begin() + 1, frames.end());
  }
  return resolved;
}

std::vector<ResolvedSite> resolve_sites(const Finding& finding) {
  std::vector<ResolvedSite> sites;
  for (const FindingSite& site : finding.sites) sites.push_back(resolve_site(site));
  return sites;
}

}  // namespace offgrid::emu
