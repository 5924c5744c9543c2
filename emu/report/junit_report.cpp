#include "report/junit_report.h"

#include <errno.h>

#include "report/text_report.h"
#include "report/valid_utf8.h"

namespace offgrid::emu {
namespace {

std::string attribute(const char* name, const std::string& value) {
  std::string text = xml_text(value);
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at)) {
    text.replace(at, 1, "&#10;");  // a reader turns the character itself into a space
  }
  return " " + std::string(name) + "=\"" + text + "\"";
}

std::string element(const std::string& name, const std::string& attributes, const std::string& content) {
  if (content.empty()) return "<" + name + attributes + "/>\n";
  return "<" + name + attributes + ">" + content + "</" + name + ">\n";
}

/// The suite's test cases and how they ended.
class Suite {
 public:
  Suite(const RunRecord& run, const ReporterOptions& options) : run_(run), options_(options) {}

  std::string text() {
    for (const auto& seen : run_.listed) finding(*seen);
    if (run_.unlisted != 0) {
      test_case("findings beyond the first " + std::to_string(options_.max_findings),
                element("system-out", "", std::to_string(run_.unlisted) + " more were only counted"));
    }
    if (run_.finished && tests_ == 0) test_case("no findings", "");
    if (!run_.finished) {
      ++errors_;
      test_case("end of the program", element("error", attribute("message", "the program did not reach its end"), ""));
    }
    const std::string counts =
        attribute("tests", std::to_string(tests_)) + attribute("failures", std::to_string(failures_)) +
        attribute("errors", std::to_string(errors_)) + attribute("skipped", std::to_string(skipped_));
    return element(
        "testsuites", attribute("name", "offgrid") + counts,
        "\n" + element("testsuite", attribute("name", program_invocation_short_name) + counts, "\n" + cases_));
  }

 private:
  void finding(const SeenFinding& seen) {
    const Finding& f = seen.finding;
    const std::string kind = kind_name(f);
    const std::string name = kind + where_text(f, seen.sites, options_.format);
    FormatOptions plain = options_.format;
    plain.colour = false;
    std::string report = format_resolved(f, seen.sites, plain);
    if (seen.repeats != 0) report += std::to_string(seen.repeats) + " more like it: " + seen.range.text() + "\n";
    if (seen.waiver != nullptr) {
      ++skipped_;
      test_case(name, element("skipped", attribute("message", "waived: " + seen.waiver->reason), ""));
    } else if (f.severity >= options_.fail_on) {
      ++failures_;
      test_case(name, element("failure", attribute("message", f.headline) + attribute("type", kind), xml_text(report)));
    } else {
      test_case(name, element("system-out", "", xml_text(report)));
    }
  }

  void test_case(const std::string& name, const std::string& content) {
    ++tests_;
    cases_ += element(
        "testcase",
        attribute("name", name) + attribute("classname", program_invocation_short_name) + attribute("time", "0"),
        content.empty() ? "" : "\n" + content);
  }

  const RunRecord& run_;
  const ReporterOptions& options_;
  std::string cases_;
  int tests_ = 0, failures_ = 0, errors_ = 0, skipped_ = 0;
};

}  // namespace

std::string xml_text(const std::string& text) {
  std::string xml;
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        xml += static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n' ? std::string(1, c) : "\xEF\xBF\xBD";
    }
  }
  return xml;
}

std::string junit_report(const RunRecord& run, const ReporterOptions& options) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + Suite(run, options).text();
}

}  // namespace offgrid::emu
