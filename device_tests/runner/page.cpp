// See page.h.
#include "runner/page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string_view>

#include "runner/run_case.h"

namespace offgrid::cases {
namespace {

constexpr const char* kStyle =
    "body{font:14px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1100px;padding:0 1rem;color:#1a1a1a}"
    "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.15rem .5rem;border-bottom:1px solid "
    "#e4e4e4}"
    "td:first-child{font:12px ui-monospace,monospace;overflow-wrap:anywhere}"
    ".pass{background:#e3f4e5}.FAIL{background:#f9d7d5;font-weight:600}.skip{background:#eee;color:#666}.waive{"
    "background:#fdf1c9}"
    "pre{background:#f6f6f6;padding:.6rem;overflow:auto;font-size:12px}summary{cursor:pointer}svg{max-width:100%;"
    "height:auto}";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

const char* word(Status status) {
  switch (status) {
    case Status::kPassed:
      return "pass";
    case Status::kFailed:
      return "FAIL";
    case Status::kSkipped:
      return "skip";
    case Status::kWaived:
      return "waive";
  }
  return "?";
}

// All names, in the order in which the files have them.
std::vector<std::string> names_of(const std::vector<PageDevice>& devices) {
  std::vector<std::string> names;
  std::map<std::string, bool> seen;
  for (const PageDevice& device : devices) {
    for (const Verdict& v : device.verdicts) {
      if (seen.emplace(v.name, true).second) names.push_back(v.name);
    }
  }
  return names;
}

using ByName = std::map<std::string_view, const Verdict*>;

std::vector<ByName> by_name(const std::vector<PageDevice>& devices) {
  std::vector<ByName> all;
  for (const PageDevice& device : devices) {
    ByName& one = all.emplace_back();
    for (const Verdict& v : device.verdicts) one.emplace(v.name, &v);
  }
  return all;
}

std::string devices_table(const std::vector<PageDevice>& devices) {
  std::string out = "<table><tr><th>device</th><th>driver</th><th>compiler</th><th>build</th><th>cases</th></tr>\n";
  for (const PageDevice& d : devices) {
    Tally tally;
    for (const Verdict& v : d.verdicts) tally.count(v.outcome.status);
    out += "<tr><td>" + escaped(d.origin.device) + "</td><td>" + escaped(d.origin.driver) + "</td><td>" +
           escaped(d.origin.compiler) + "</td><td>" + escaped(d.origin.build.substr(0, 12)) + "</td><td>" +
           tally.text() + "</td></tr>\n";
  }
  return out + "</table>\n";
}

std::string matrix(const std::vector<PageDevice>& devices) {
  std::string out = "<table><tr><th>case</th>";
  for (const PageDevice& d : devices) out += "<th>" + escaped(d.origin.device) + "</th>";
  out += "</tr>\n";
  const auto verdicts = by_name(devices);
  for (const std::string& name : names_of(devices)) {
    out += "<tr><td>" + escaped(name) + "</td>";
    for (const ByName& one : verdicts) {
      const auto at = one.find(name);
      if (at == one.end()) {
        out += "<td></td>";
        continue;
      }
      const char* status = word(at->second->outcome.status);
      out += std::string("<td class=\"") + status + "\">" + status + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

// The largest error of a case over its bound, or a negative number if it has none.
double worst_ratio(const Verdict& v) {
  double worst = -1;
  for (const ErrorFigures& f : v.outcome.figures) worst = std::max(worst, f.max_ratio);
  return worst;
}

// One dot a case and device on a logarithmic scale from 1e-3 to 10 times the bound; the line is the bound.
std::string error_plot(const std::vector<PageDevice>& devices) {
  constexpr double kWidth = 1000, kHeight = 260, kLeft = 60, kBottom = 30;
  constexpr const char* kColours[] = {"#1b6ca8", "#d95f02", "#4d9221", "#7b3294"};
  const auto names = names_of(devices);
  const auto verdicts = by_name(devices);
  const auto y = [&](double ratio) {
    const double decades = std::log10(std::clamp(ratio, 1e-3, 10.0));
    return 10 + (kHeight - kBottom - 10) * (1 - (decades + 3) / 4);
  };
  std::string out = formatted("<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" font-size=\"12\">\n", kWidth, kHeight);
  for (const double ratio : {1e-3, 1e-2, 1e-1, 1.0, 10.0}) {
    out += formatted(
        "<line x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/><text x=\"4\" y=\"%.1f\">%g</text>\n",
        kLeft, kWidth, y(ratio), y(ratio), ratio == 1 ? "#c00" : "#ddd", y(ratio) + 4, ratio);
  }
  int drawn = 0;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const char* colour = kColours[d % std::size(kColours)];
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto at = verdicts[d].find(names[i]);
      const double ratio = at == verdicts[d].end() ? -1 : worst_ratio(*at->second);
      if (ratio < 0) continue;
      const double x =
          kLeft + (kWidth - kLeft - 10) * (static_cast<double>(i) + 0.5) / static_cast<double>(names.size());
      out += formatted("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" fill-opacity=\".7\"><title>", x, y(ratio),
                       colour) +
             escaped(names[i]) + formatted(": %.3g of the bound</title></circle>\n", ratio);
      ++drawn;
    }
    out += formatted("<text x=\"%.0f\" y=\"%.0f\" fill=\"%s\">", kLeft + 220.0 * static_cast<double>(d), kHeight - 8,
                     colour) +
           escaped(devices[d].origin.device) + "</text>\n";
  }
  if (drawn == 0) return "<p>No case of these files has an error figure.</p>\n";
  return out + "</svg>\n<p>Cases from left to right as in the matrix. The line at 1 is the error bound.</p>\n";
}

std::string details(const std::vector<PageDevice>& devices) {
  std::string out;
  for (const PageDevice& d : devices) {
    for (const Verdict& v : d.verdicts) {
      if (v.outcome.status == Status::kPassed) continue;
      const std::string open = v.outcome.status == Status::kFailed ? " open" : "";
      out += "<details" + open + "><summary>" + word(v.outcome.status) + " " + escaped(v.name) + " on " +
             escaped(d.origin.device) + "</summary><pre>" + escaped(v.outcome.text) + "  again  " +
             escaped(rerun_command(v.name)) + "</pre></details>\n";
    }
  }
  return out.empty() ? "<p>Everything passed.</p>\n" : out;
}

}  // namespace

std::string conformance_page(const std::vector<PageDevice>& devices, const std::vector<std::string>& timing_pictures) {
  std::string out = std::string(
                        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                        "content=\"width=device-width\"><title>offgrid conformance</title><style>") +
                    kStyle + "</style></head><body>\n<h1>Conformance</h1>\n" + devices_table(devices) +
                    "<h2>Errors against fp64</h2>\n" + error_plot(devices);
  if (!timing_pictures.empty()) {
    out += "<h2>Timings</h2>\n";
    for (const std::string& picture : timing_pictures) out += "<figure>" + picture + "</figure>\n";
  }
  return out + "<h2>What did not pass</h2>\n" + details(devices) + "<h2>Cases by device</h2>\n" + matrix(devices) +
         "</body></html>\n";
}

}  // namespace offgrid::cases
