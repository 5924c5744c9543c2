#include "report/sarif_report.h"

#include <nlohmann/json.hpp>
#include <set>

#include "captured_reporter.h"
#include "catch.h"
#include "golden.h"
#include "sample_findings.h"
#include "schema_check.h"
#include "scratch_file.h"

using namespace offgrid::emu;
using namespace offgrid::test;
using nlohmann::json;

namespace {

const json& schema() {
  static const json parsed = json::parse(read_file(SARIF_SCHEMA));
  return parsed;
}

/// The file after these findings and, unless `exit_status` is -1, the end of the run.
json sarif_of(const std::vector<Finding>& findings, int exit_status = 1, ReporterOptions options = {}) {
  const ScratchFile file("report.sarif");
  options.files = {{ReportFormat::kSarif, file.path()}};
  CapturedReporter reporter(options);
  for (const Finding& finding : findings) reporter->add(finding);
  if (exit_status >= 0) reporter->finish(exit_status);
  const json report = json::parse(read_file(file.path()));
  CHECK(SchemaCheck(schema()).fault(report) == "");
  return report;
}

json result_of(const Finding& finding, ReporterOptions options = {}) {
  return sarif_of({finding}, 1, std::move(options))["runs"][0]["results"][0];
}

std::string identity_of(const Finding& finding, const std::string& base = "") {
  return result_of(finding, {.format = {.base_directory = base}})["partialFingerprints"]["findingIdentity/v1"];
}

Finding hazard() {
  Finding finding = sample_read("/src/k.cuh", 158);
  finding.sites = {{"read", {"/src/k.cuh", 158}, 0, "thread (0, 0, 0)", {}, "saw 0.7310"},
                   {"write", {"/other dir/w#.cuh", 64}, 0, "thread (32, 0, 0)"},
                   {"allocated", {"/src/main.cu", 9}, 0, ""}};
  return finding;
}

}  // namespace

TEST_CASE("SarifReport.ACleanRunHasNoResults") {
  const json run = sarif_of({}, 0)["runs"][0];
  CHECK(run["results"] == json::array());
  CHECK(run["invocations"][0]["executionSuccessful"] == true);
  CHECK(run["invocations"][0]["exitCode"] == 0);
}

TEST_CASE("SarifReport.HasARuleForEveryKindAndResultsPointAtTheirs") {
  std::vector<Finding> findings;
  for (int i = 0; i < static_cast<int>(FindingId::kCount); ++i) {
    Finding finding = sample_read("k.cu", static_cast<unsigned>(i + 1));
    finding.id = static_cast<FindingId>(i);
    findings.push_back(finding);
  }
  const json run = sarif_of(findings)["runs"][0];
  const json& rules = run["tool"]["driver"]["rules"];
  std::set<std::string> ids;
  for (const json& rule : rules) CHECK(ids.insert(rule["id"]).second);
  CHECK(ids.count("oob-write") == 1);
  REQUIRE(run["results"].size() == findings.size());
  for (const json& result : run["results"])
    CHECK(rules[result["ruleIndex"].get<std::size_t>()]["id"] == result["ruleId"]);
  const json& livelock = rules[run["results"][static_cast<int>(FindingId::kLivelock)]["ruleIndex"].get<std::size_t>()];
  CHECK(livelock["help"]["text"] == finding_info(FindingId::kLivelock).help);
}

TEST_CASE("SarifReport.PutsTheMainSiteFirstAndTheOthersBesideIt") {
  const json result = result_of(hazard(), {.format = {.base_directory = "/src"}});
  CHECK(result["ruleId"] == "oob-read");
  CHECK(result["level"] == "error");
  CHECK(result["message"]["text"] ==
        "read of 16 B, one page past the end of `kv_cache`\nelement 368640 = [page 40, slot 0, d 0]\nhelp: check the "
        "index against the size of the allocation");
  REQUIRE(result["locations"].size() == 1);
  const json& main = result["locations"][0];
  CHECK(main["physicalLocation"]["artifactLocation"] == json({{"uri", "k.cuh"}, {"uriBaseId", "SRCROOT"}}));
  CHECK(main["physicalLocation"]["region"]["startLine"] == 158);
  CHECK(main["logicalLocations"][0]["fullyQualifiedName"] == "paged_prefill<fp16, 128>");
  CHECK(main["message"]["text"] == "read, thread (0, 0, 0), saw 0.7310");
  REQUIRE(result["relatedLocations"].size() == 2);
  const json& other = result["relatedLocations"][0];
  CHECK(other["physicalLocation"]["artifactLocation"] == json({{"uri", "file:///other%20dir/w%23.cuh"}}));
  CHECK(other["message"]["text"] == "write, thread (32, 0, 0)");
  CHECK(result["relatedLocations"][1]["message"]["text"] == "allocated");
}

TEST_CASE("SarifReport.EqualSitesStayApart") {
  Finding finding = hazard();
  finding.sites[2] = finding.sites[1];
  CHECK(result_of(finding)["relatedLocations"].size() == 2);  // the schema wants them to differ
}

TEST_CASE("SarifReport.GivesThePlaceAsProperties") {
  Finding finding = sample_read("k.cu", 4);
  finding.element = ElementRange{"kv_cache", 7, 9};
  const json properties = result_of(finding)["properties"];
  CHECK(properties["kernel"] == "paged_prefill<fp16, 128>");
  CHECK(properties["block"] == json({0, 3, 0}));
  CHECK(properties["thread"] == json({33, 0, 0}));
  CHECK(properties["launch"] == 3);
  CHECK(properties["element"]["last"] == 9);
}

TEST_CASE("SarifReport.CountsRepeats") {
  Finding finding = sample_read("k.cu", 4);
  finding.folded = 2;
  const json run = sarif_of({finding, finding, finding})["runs"][0];
  REQUIRE(run["results"].size() == 1);
  CHECK(run["results"][0]["occurrenceCount"] == 9);
}

TEST_CASE("SarifReport.WaivedResultsAreSuppressedAndOthersAreNot") {
  const std::vector<Waiver> waivers = {{"oob-read", "*", "known.cu", 0, "padded rows", "/w.txt", 3},
                                       {"oob-write", "*", "", 0, "why", "/w.txt", 4}};
  const json run = sarif_of({sample_read("known.cu", 4), sample_read("k.cu", 4)}, 1, {.waivers = waivers})["runs"][0];
  const json& suppressed = run["results"][0]["suppressions"];
  REQUIRE(suppressed.size() == 1);
  CHECK(suppressed[0]["kind"] == "external");
  CHECK(suppressed[0]["justification"] == "padded rows");
  CHECK(suppressed[0]["location"]["physicalLocation"]["region"]["startLine"] == 3);
  CHECK(run["results"][1]["suppressions"] == json::array());
  CHECK(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] ==
        "/w.txt:4: waiver oob-write * matched nothing");
}

TEST_CASE("SarifReport.FingerprintsSurviveMovedLinesButNotOtherOnes") {
  const ScratchFile source("print.cu", "x = 1;\n\n  x = 1;\ny = 2;\n");
  const auto at = [&](unsigned line) { return identity_of(sample_read(source.path().c_str(), line), source.folder()); };
  CHECK(at(1) == at(3));
  CHECK(at(1) != at(4));
  Finding other_kernel = sample_read(source.path().c_str(), 1);
  other_kernel.place.kernel = "other";
  CHECK(at(1) != identity_of(other_kernel, source.folder()));
  Finding write = sample_read(source.path().c_str(), 1);
  write.sites[0].role = "write";
  CHECK(at(1) != identity_of(write, source.folder()));
}

TEST_CASE("SarifReport.FingerprintsOfOneRunDiffer") {
  const ScratchFile source("twice.cu", "x = 1;\nx = 1;\n");
  const json results =
      sarif_of({sample_read(source.path().c_str(), 1), sample_read(source.path().c_str(), 2)})["runs"][0]["results"];
  CHECK(results[0]["partialFingerprints"] != results[1]["partialFingerprints"]);
}

TEST_CASE("SarifReport.StandsWithoutSites") {
  Finding finding;
  finding.id = FindingId::kHostApiMisuse;
  finding.severity = Severity::kWarning;
  finding.headline = "cudaFree of a pointer that was never allocated";
  const json result = result_of(finding);
  CHECK(result["level"] == "warning");
  CHECK(result["locations"] == json::array());
}

TEST_CASE("SarifReport.AFileOfARunThatHasNotEndedSaysSo") {
  const json run = sarif_of({sample_read("k.cu", 4)}, -1)["runs"][0];
  CHECK(run["results"].size() == 1);
  CHECK(run["invocations"][0]["executionSuccessful"] == false);
  CHECK_FALSE(run["invocations"][0].contains("exitCode"));
}

TEST_CASE("SchemaCheck.FindsFaults") {
  const SchemaCheck check(schema());
  const json good = sarif_of({hazard()});
  const auto fault_with = [&](const std::string& pointer, const json& value) {
    json changed = good;
    changed[json::json_pointer(pointer)] = value;
    return check.fault(changed);
  };
  const auto fault_without = [&](const std::string& parent, const std::string& name) {
    json changed = good;
    changed[json::json_pointer(parent)].erase(name);
    return check.fault(changed);
  };
  const std::string result = "/runs/0/results/0", place = result + "/locations/0/physicalLocation";
  CHECK(fault_with("/version", "2.0.0") == "/version: enum [\"2.1.0\"]");
  CHECK(fault_with(result + "/level", "fatal") == result + "/level: enum [\"none\",\"note\",\"warning\",\"error\"]");
  CHECK(fault_with(result + "/rule", "x") == result + "/rule: not allowed");
  CHECK(fault_with(result + "/occurrenceCount", 0) == result + "/occurrenceCount: minimum 1");
  CHECK(fault_with(result + "/relatedLocations/0", good[json::json_pointer(result + "/relatedLocations/1")]) != "");
  CHECK(fault_with(place + "/region/startLine", 0) != "");
  CHECK(fault_with(place + "/region/startLine", "4") != "");
  CHECK(fault_with(place + "/artifactLocation/uri", "a b.cu") != "");
  CHECK(fault_with(place + "/artifactLocation/uri", "a%2.cu") != "");
  CHECK(fault_with("/runs", json::object()) == "/runs: type \"array\"");
  CHECK(fault_without("/runs/0/tool/driver", "name") != "");
  CHECK(fault_without(result, "message") != "");
}

TEST_CASE("SarifReport.EncodesPathsAsUris") {
  CHECK(uri_path("a b/c#d%e?f:g.cu") == "a%20b/c%23d%25e%3Ff%3Ag.cu");
  CHECK(uri_path("\xC3\xBC.cu") == "%C3%BC.cu");
}
