#include "report/report_settings.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "catch.h"
#include "scratch_file.h"

using namespace offgrid::emu;
using namespace offgrid::test;

namespace {

/// The environment of one test: these variables, and none of the others that matter.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& values) {
    for (const char* name : kNames) unsetenv(name);
    for (const auto& [name, value] : values) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const char* name : kNames) unsetenv(name);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  static constexpr const char* kNames[] = {"OFFGRID_REPORT",  "OFFGRID_WAIVERS", "OFFGRID_MAX_FINDINGS",
                                           "OFFGRID_FAIL_ON", "OFFGRID_COLOR",   "NO_COLOR"};
};

std::string refusal(const std::string& name, const std::string& value) {
  const Environment environment({{name, value}});
  try {
    options_from_environment();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

ReporterOptions options_with(const std::string& name, const std::string& value) {
  const Environment environment({{name, value}});
  return options_from_environment();
}

}  // namespace

TEST_CASE("ReportSettings.TheEndingChoosesTheFormat") {
  const std::vector<ReportFile> files = options_with("OFFGRID_REPORT", "a.jsonl,/b/c.sarif,d.e.xml").files;
  REQUIRE(files.size() == 3);
  CHECK(files[0].format == ReportFormat::kJsonLines);
  CHECK(files[0].path == (std::filesystem::current_path() / "a.jsonl").string());
  CHECK(files[1].format == ReportFormat::kSarif);
  CHECK(files[1].path == "/b/c.sarif");
  CHECK(files[2].format == ReportFormat::kJunit);
}

TEST_CASE("ReportSettings.RefusesUnknownEndings") {
  CHECK(refusal("OFFGRID_REPORT", "a.jsonl,b.json") ==
        "OFFGRID_REPORT=a.jsonl,b.json: the ending of `b.json` names no format; use .jsonl (JSON lines), .sarif (SARIF "
        "2.1.0) or .xml (JUnit)");
  CHECK_FALSE(refusal("OFFGRID_REPORT", ".sarif").empty());
  CHECK_FALSE(refusal("OFFGRID_REPORT", "a.sarif,,b.xml").empty());
  CHECK(refusal("OFFGRID_REPORT", "").empty());
}

TEST_CASE("ReportSettings.NamesFilesAfterTheProcess") {
  const std::vector<ReportFile> files = options_with("OFFGRID_REPORT", "/r/%n-%p.sarif").files;
  REQUIRE(files.size() == 1);
  CHECK(files[0].path == "/r/report_test-" + std::to_string(getpid()) + ".sarif");
}

TEST_CASE("ReportSettings.TakesTheCapAsANumber") {
  CHECK(options_with("OFFGRID_MAX_FINDINGS", "7").max_findings == 7);
  CHECK(options_with("OFFGRID_MAX_FINDINGS", "").max_findings == 100);
  for (const char* wrong : {"0", "-1", "many", "7x", "99999999999999999999"}) {
    CHECK(refusal("OFFGRID_MAX_FINDINGS", wrong) ==
          "OFFGRID_MAX_FINDINGS=" + std::string(wrong) + ": must be a number from 1");
  }
}

TEST_CASE("ReportSettings.TakesTheSeverityThatFails") {
  CHECK(options_with("OFFGRID_FAIL_ON", "").fail_on == Severity::kError);
  CHECK(options_with("OFFGRID_FAIL_ON", "warning").fail_on == Severity::kWarning);
  CHECK(options_with("OFFGRID_FAIL_ON", "note").fail_on == Severity::kNote);
  CHECK(refusal("OFFGRID_FAIL_ON", "never") == "OFFGRID_FAIL_ON=never: must be error, warning or note");
}

TEST_CASE("ReportSettings.ColourCanBeForcedAndForbidden") {
  CHECK(options_with("OFFGRID_COLOR", "always").format.colour);
  CHECK_FALSE(options_with("OFFGRID_COLOR", "never").format.colour);
  CHECK(refusal("OFFGRID_COLOR", "on") == "OFFGRID_COLOR=on: must be always, never or auto");
  const Environment both({{"OFFGRID_COLOR", "always"}, {"NO_COLOR", "1"}});
  CHECK(options_from_environment().format.colour);
}

TEST_CASE("ReportSettings.ReadsTheWaiverFile") {
  const ScratchFile good("good.txt", "oob-read copy # why\n"), bad("bad.txt", "oob-read copy\n");
  CHECK(options_with("OFFGRID_WAIVERS", good.path()).waivers.size() == 1);
  CHECK(refusal("OFFGRID_WAIVERS", bad.path()).find("OFFGRID_WAIVERS: " + bad.path() + ":1: a waiver needs a reason") ==
        0);
  CHECK(refusal("OFFGRID_WAIVERS", "/nonexistent") == "OFFGRID_WAIVERS: cannot read /nonexistent");
}
