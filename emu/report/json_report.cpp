#include "report/json_report.h"

#include <errno.h>

#include "report/finding_table.h"
#include "report/folded_range.h"
#include "report/json_text.h"
#include "report/source_excerpt.h"
#include "report/text_report.h"

namespace offgrid::emu {
namespace {

std::string site_json(const ResolvedSite& site, const FormatOptions& options) {
  const auto position = [&](const std::string& file, unsigned line) {
    return json_field("file", json_string(file.empty() ? "" : display_path(file, options.base_directory))) + "," +
           json_field("line", std::to_string(line));
  };
  return "{" + json_field("role", json_string(site.role)) + "," + position(site.file, site.line) + "," +
         json_field("function", json_string(site.function)) + "," + json_field("detail", json_string(site.detail)) +
         "," + json_field("value", json_string(site.value)) + "," + json_field("through", json_string(site.through)) +
         "," +
         json_field("callers", json_array(site.callers,
                                          [&](const ResolvedCaller& c) {
                                            return "{" + position(c.frame.file, c.frame.line) + "," +
                                                   json_field("function", json_string(c.frame.function)) + "," +
                                                   json_field("inlined", c.inlined ? "true" : "false") + "}";
                                          })) +
         "}";
}

}  // namespace

std::string place_members(const LaunchPlace& p) {
  std::string text = json_field("kernel", json_string(p.kernel)) + "," + json_field("grid", index_json(p.grid)) + "," +
                     json_field("block_dim", index_json(p.block_dim)) + "," +
                     json_field("launch", std::to_string(p.launch_number)) + "," +
                     json_field("stream", std::to_string(p.stream));
  if (p.has_lane || p.has_block) text += "," + json_field("block", index_json(p.block));
  if (p.has_lane) {
    text += "," + json_field("thread", index_json(p.thread)) + "," + json_field("warp", std::to_string(p.warp)) + "," +
            json_field("lane", std::to_string(p.lane));
  }
  return text;
}

std::string program_field() { return json_field("program", json_string(program_invocation_short_name)); }

std::string json_resolved(const Finding& finding, const std::vector<ResolvedSite>& sites, const FormatOptions& options,
                          const Waiver* waiver) {
  std::string json = "{" + program_field() + "," + json_field("kind", json_string(kind_name(finding))) + "," +
                     json_field("severity", json_string(std::string(severity_name(finding.severity)))) + "," +
                     json_field("headline", json_string(finding.headline)) + "," +
                     json_field("sites", json_array(sites, [&](const auto& s) { return site_json(s, options); })) +
                     "," + json_field("place", "{" + place_members(finding.place) + "}") + "," +
                     json_field("notes", json_array(finding.notes, json_string)) + "," +
                     json_field("help", json_string(help_text(finding))) + "," +
                     json_field("folded", std::to_string(finding.folded));
  if (finding.element) json += "," + json_field("element", element_json(*finding.element));
  if (waiver != nullptr) json += "," + json_field("waived", json_string(waiver->reason));
  return json + "}\n";
}

std::string json_line(const Finding& finding, const FormatOptions& options) {
  return json_resolved(finding, resolve_sites(finding), options, nullptr);
}

}  // namespace offgrid::emu
