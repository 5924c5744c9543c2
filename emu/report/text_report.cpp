#include "report/text_report.h"

#include <algorithm>

#include "report/finding_table.h"
#include "report/folded_range.h"
#include "report/place_text.h"
#include "report/source_excerpt.h"

namespace offgrid::emu {
namespace {

constexpr std::size_t kMaxExcerpts = 3;  // a report with more sites shows their lines only by number

constexpr std::size_t kMaxCallers = 8;

class Report {
 public:
  Report(const Finding& finding, const std::vector<ResolvedSite>& sites, const FormatOptions& options)
      : finding_(finding), sites_(sites), options_(options) {}

  std::string text() {
    headline();
    std::vector<const ResolvedSite*> actors;  // the sites that take part
    for (const ResolvedSite& site : sites_) {
      if (&site == &sites_.front() || !is_background_role(site.role)) actors.push_back(&site);
    }
    if (actors.size() > 1) {
      list_of(actors);
    } else {
      arrow();
    }
    for (const std::string& n : finding_.notes) note(n);
    place(actors.size() > 1);
    for (std::size_t i = 1; i < sites_.size(); ++i) {
      if (is_background_role(sites_[i].role)) background(sites_[i]);
    }
    if (lines_are_missing()) note("no line numbers: offgrid was built without libbacktrace");
    help();
    return text_;
  }

 private:
  void headline() {
    const char* colour = finding_.severity == Severity::kError     ? "1;31"
                         : finding_.severity == Severity::kWarning ? "1;33"
                                                                   : "1;36";
    text_ += paint(colour, std::string(severity_name(finding_.severity)) + "[" + kind_name(finding_) + "]");
    text_ += paint("1", ": " + finding_.headline) + "\n";
  }

  /// "  --> file:line   in kernel", the source line, and what the function was inlined into.
  void arrow() {
    const ResolvedSite nothing;
    const ResolvedSite& site = sites_.empty() ? nothing : sites_.front();
    std::string who = function_text(site.function, finding_.place.kernel);
    if (site.role == "launch" && !finding_.place.kernel.empty()) who = "launch of " + finding_.place.kernel;
    if (site.role == "declared" && !who.empty()) who = "declared " + who;
    const std::string more = detail_and_value(site);
    if (!more.empty()) who += (who.empty() ? "" : ", ") + more;
    const std::string where = position(site.file, site.line);
    if (where.empty() && who.empty()) return;
    text_ += paint("1;34", "  --> ") + where + (where.empty() || who.empty() ? "" : "   ") + who + "\n";
    excerpt(site);
    if (!site.through.empty()) note("in " + site.through);
    callers(site);
  }

  /// One line a call; a run of equal ones (recursion) is counted.
  void callers(const ResolvedSite& site) {
    std::size_t lines = 0;
    for (auto at = site.callers.begin(); at != site.callers.end() && lines < kMaxCallers; ++lines) {
      const auto is_other = [at](const ResolvedCaller& c) {
        return c.frame.line != at->frame.line || c.frame.function != at->frame.function;
      };
      const auto end = std::find_if(at, site.callers.end(), is_other);
      std::string text = at->inlined ? "inlined into " : "called from ";
      const std::string& who = at->frame.function.empty() ? finding_.place.kernel : at->frame.function;
      text += who + (who.empty() ? "" : " at ") + position(at->frame.file, at->frame.line);
      if (end - at > 1) text += ", " + std::to_string(end - at) + " times";
      note(text);
      at = end;
    }
  }

  /// "  role   file:line   detail   value" for each, in columns.
  void list_of(const std::vector<const ResolvedSite*>& actors) {
    std::size_t role_width = 0, where_width = 0, detail_width = 0;
    for (const ResolvedSite* site : actors) {
      role_width = std::max(role_width, site->role.size());
      where_width = std::max(where_width, site_text(*site).size());
      detail_width = std::max(detail_width, site->detail.size());
    }
    const auto padded = [](const std::string& text, std::size_t width) {
      return text + std::string(width - text.size() + 3, ' ');
    };
    for (const ResolvedSite* site : actors) {
      std::string line = padded(site_text(*site), where_width) + padded(site->detail, detail_width) + site->value;
      line.resize(line.find_last_not_of(' ') + 1);
      text_ += "  " + paint("1;34", site->role) + std::string(role_width - site->role.size() + 3, ' ') + line + "\n";
      if (actors.size() <= kMaxExcerpts) excerpt(*site);
    }
  }

  void place(bool with_kernel) {
    const bool is_refused_launch = !sites_.empty() && sites_.front().role == "launch";
    std::string text = is_refused_launch ? "" : place_text(finding_.place, with_kernel);
    if (finding_.folded != 0) {
      text += (text.empty() ? "" : ";  ") + std::to_string(finding_.folded) + " more like this, folded";
      if (finding_.element) text += ": " + element_text(*finding_.element);
    }
    if (!text.empty()) note(text);
  }

  void background(const ResolvedSite& site) {
    std::string text = site.role == "launch" ? "launched" : site.role;
    const std::string where = site_text(site);
    if (!where.empty()) text += (site.file.empty() ? " in " : " at ") + where;
    const std::string more = detail_and_value(site);
    note(text + (more.empty() ? "" : ", " + more));
  }

  static std::string detail_and_value(const ResolvedSite& site) {
    return site.detail + (site.detail.empty() || site.value.empty() ? "" : ", ") + site.value;
  }

  void help() {
    const std::string text = help_text(finding_);
    if (!text.empty()) note(paint("1", "help") + ": " + text);
  }

  bool lines_are_missing() const {
    return !can_resolve_lines() && std::any_of(sites_.begin(), sites_.end(), [](const ResolvedSite& s) {
      return s.file.empty() && !s.function.empty();
    });
  }

  void note(const std::string& text) { text_ += paint("1;34", "   = ") + text + "\n"; }

  void excerpt(const ResolvedSite& site) {
    const std::string line = source_excerpt(site.file, site.line, options_.base_directory);
    if (line.empty()) return;
    const std::size_t gutter = line.find('|') + 1;
    text_ += paint("1;34", line.substr(0, gutter)) + line.substr(gutter);
  }

  std::string position(const std::string& file, unsigned line) const {
    if (file.empty()) return "";
    return display_path(file, options_.base_directory) + (line != 0 ? ":" + std::to_string(line) : "");
  }

  /// The line, or the symbol where no line is known.
  std::string site_text(const ResolvedSite& site) const {
    return site.file.empty() ? site.function : position(site.file, site.line);
  }

  std::string paint(const char* code, const std::string& text) const {
    return options_.colour ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
  }

  const Finding& finding_;
  const std::vector<ResolvedSite>& sites_;
  const FormatOptions& options_;
  std::string text_;
};

}  // namespace

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      break;
  }
  return "note";
}

std::string format_resolved(const Finding& finding, const std::vector<ResolvedSite>& sites,
                            const FormatOptions& options) {
  return Report(finding, sites, options).text();
}

std::string format_finding(const Finding& finding, const FormatOptions& options) {
  return format_resolved(finding, resolve_sites(finding), options);
}

}  // namespace offgrid::emu
