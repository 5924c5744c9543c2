#include "report/resolved_site.h"

#include <offgrid/emu/report.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace offgrid::emu {
namespace {

/// The folder of the emulator's own sources: this file's, less "report/resolved_site.cpp". Compiler caches make it
/// relative to the build folder: then less the leading "../", too.
std::string_view own_folder() {
  std::string_view file = __FILE__;
  while (file.rfind("../", 0) == 0) file.remove_prefix(3);
  return file.substr(0, file.rfind('/', file.rfind('/') - 1) + 1);
}

/// Not a place where a user looks for a bug: the emulator's own files and the system's headers.
bool is_library_file(std::string_view file) {
  return file.find(own_folder()) != file.npos || file.find("/include/offgrid/") != file.npos ||
         file.find("/emu/compat/") != file.npos || file.find("/offgrid/compat/") != file.npos ||
         file.rfind("/usr/include/", 0) == 0 || file.rfind("/usr/lib/", 0) == 0;
}

/// All frames of a site's address and of the calls that led there, innermost first.
std::vector<ResolvedCaller> all_frames(const FindingSite& site) {
  std::vector<ResolvedCaller> frames;
  const auto append = [&](std::uintptr_t pc) {
    bool inlined = false;  // the first frame at an address made a real call
    for (CodeFrame& frame : resolve_code(pc)) {
      frames.push_back({std::move(frame), inlined});
      inlined = true;
    }
  };
  append(site.pc);
  for (const std::uintptr_t caller : site.callers) append(caller);
  return frames;
}

void resolve_pc(const FindingSite& site, ResolvedSite& resolved) {
  const std::vector<ResolvedCaller> frames = all_frames(site);
  const auto is_user = [](const ResolvedCaller& f) { return !f.frame.file.empty() && !is_library_file(f.frame.file); };
  const auto first = std::find_if(frames.begin(), frames.end(), is_user);
  const CodeFrame& innermost = frames.front().frame;
  if (first == frames.end()) {
    if (innermost.file.empty()) resolved.function = innermost.function;
    return;
  }
  resolved.file = first->frame.file;
  resolved.line = first->frame.line;
  resolved.function = first->frame.function;
  if (innermost.file.empty()) resolved.through = innermost.function;
  std::copy_if(first + 1, frames.end(), std::back_inserter(resolved.callers), is_user);
}

/// What happened in the library's own code, or at the same line as the site before: without optimisation a value goes
/// through several stores on one line.
bool tells_nothing_more(const ResolvedSite& site, const ResolvedSite& before) {
  if (!site.detail.empty() || !site.value.empty()) return false;
  if (site.file.empty()) return site.function.empty() && site.through.empty();
  return site.role == before.role && site.file == before.file && site.line == before.line &&
         site.function == before.function;
}

}  // namespace

bool is_background_role(const std::string& role) {
  static constexpr std::string_view kBackground[] = {"allocated", "freed", "launch", "declared", "last write"};
  return std::find(std::begin(kBackground), std::end(kBackground), role) != std::end(kBackground);
}

ResolvedSite resolve_site(const FindingSite& site) {
  ResolvedSite resolved;
  resolved.role = site.role;
  resolved.detail = site.detail;
  resolved.value = site.value;
  if (site.where.file != nullptr) {
    resolved.file = site.where.file;
    resolved.line = site.where.line;
  } else if (site.pc != 0) {
    resolve_pc(site, resolved);
  }
  return resolved;
}

std::vector<ResolvedSite> resolve_sites(const Finding& finding) {
  std::vector<ResolvedSite> sites;
  for (const FindingSite& site : finding.sites) {
    ResolvedSite resolved = resolve_site(site);
    if (!sites.empty() && tells_nothing_more(resolved, sites.back())) continue;
    sites.push_back(std::move(resolved));
  }
  return sites;
}

std::string place_of_code(std::uintptr_t pc) {
  FindingSite site;
  site.pc = pc;
  const ResolvedSite resolved = resolve_site(site);
  const std::string name = resolved.file.substr(resolved.file.find_last_of('/') + 1);
  return name.empty() ? resolved.function : name + ":" + std::to_string(resolved.line);
}

}  // namespace offgrid::emu
