#include "report/json_report.h"

#include <errno.h>

#include <cstdio>

#include "report/source_excerpt.h"
#include "report/text_report.h"

namespace offgrid::emu {
namespace {

std::string field(const char* name, const std::string& json) { return "\"" + std::string(name) + "\":" + json; }

std::string index_json(const Index3& i) {
  return "[" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + "]";
}

template <class Range, class ToJson>
std::string array_json(const Range& range, ToJson to_json) {
  std::string text;
  for (const auto& element : range) text += (text.empty() ? "" : ",") + to_json(element);
  return "[" + text + "]";
}

std::string site_json(const ResolvedSite& site, const FormatOptions& options) {
  const auto position = [&](const std::string& file, unsigned line) {
    return field("file", json_string(file.empty() ? "" : display_path(file, options.base_directory))) + "," +
           field("line", std::to_string(line));
  };
  return "{" + field("role", json_string(site.role)) + "," + position(site.file, site.line) + "," +
         field("function", json_string(site.function)) + "," + field("detail", json_string(site.detail)) + "," +
         field("through", json_string(site.through)) + "," +
         field("callers", array_json(site.callers,
                                     [&](const ResolvedCaller& c) {
                                       return "{" + position(c.frame.file, c.frame.line) + "," +
                                              field("function", json_string(c.frame.function)) + "," +
                                              field("inlined", c.inlined ? "true" : "false") + "}";
                                     })) +
         "}";
}

std::string place_json(const LaunchPlace& p) {
  std::string text = field("kernel", json_string(p.kernel)) + "," + field("grid", index_json(p.grid)) + "," +
                     field("block_dim", index_json(p.block_dim)) + "," +
                     field("launch", std::to_string(p.launch_number)) + "," + field("stream", std::to_string(p.stream));
  if (p.has_lane || p.has_block) text += "," + field("block", index_json(p.block));
  if (p.has_lane) {
    text += "," + field("thread", index_json(p.thread)) + "," + field("warp", std::to_string(p.warp)) + "," +
            field("lane", std::to_string(p.lane));
  }
  return "{" + text + "}";
}

}  // namespace

std::string json_string(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      json += escape;
    } else {
      json += c;
    }
  }
  return json + "\"";
}

std::string program_field() { return field("program", json_string(program_invocation_short_name)); }

std::string json_resolved(const Finding& finding, const std::vector<ResolvedSite>& sites,
                          const FormatOptions& options) {
  const std::string help = finding.help.empty() ? std::string(finding_info(finding.id).help) : finding.help;
  return "{" + program_field() + "," + field("kind", json_string(kind_name(finding))) + "," +
         field("severity", json_string(std::string(severity_name(finding.severity)))) + "," +
         field("headline", json_string(finding.headline)) + "," +
         field("sites", array_json(sites, [&](const ResolvedSite& s) { return site_json(s, options); })) + "," +
         field("place", place_json(finding.place)) + "," + field("notes", array_json(finding.notes, json_string)) +
         "," + field("help", json_string(help)) + "," + field("folded", std::to_string(finding.folded)) + "}\n";
}

std::string json_line(const Finding& finding, const FormatOptions& options) {
  return json_resolved(finding, resolve_sites(finding), options);
}

}  // namespace offgrid::emu
