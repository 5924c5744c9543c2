/// A finding's sites with their code addresses turned into lines, ready to be shown, compared and folded.
#pragma once

#include <offgrid/emu/finding.h>

#include <string>
#include <vector>

#include "report/source_resolver.h"

namespace offgrid::emu {

/// A call on the way to a site. `inlined` tells how the callee came to stand at this line.
struct ResolvedCaller {
  CodeFrame frame;
  bool inlined = false;
};

struct ResolvedSite {
  std::string role, detail, value;
  std::string file;      ///< as it is to be read; empty if unknown
  unsigned line = 0;     ///< 0 if unknown
  std::string function;  ///< innermost function of the user's at this line; a symbol if there is no line; may be empty
  std::string through;   ///< the system's function that the user's line called: "memmove+0x1a in libc.so.6"; or empty
  std::vector<ResolvedCaller> callers;  ///< innermost first
};

/// Looks the site's address up if it brings no line. Frames of the emulator's own files and of the system's headers are
/// passed over, so that the line is the user's; if there are no others, nothing is known about the site.
ResolvedSite resolve_site(const FindingSite& site);

/// All sites of a finding, in order.
std::vector<ResolvedSite> resolve_sites(const Finding& finding);

/// True for sites that explain the main one ("allocated", "launch", "last write") instead of taking part.
bool is_background_role(const std::string& role);

}  // namespace offgrid::emu
