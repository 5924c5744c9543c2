#include <offgrid/emu/report.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "captured_reporter.h"
#include "catch.h"
#include "golden.h"
#include "sample_findings.h"
#include "scratch_file.h"

using namespace offgrid::emu;
using namespace offgrid::test;

TEST_CASE("TextReporter.FoldsRepeatsOfKindLineAndKernel") {
  CapturedReporter reporter;
  for (int i = 0; i < 3; ++i) reporter->add(sample_read("k.cu", 4));
  reporter->add(sample_read("k.cu", 5));
  Finding other_kernel = sample_read("k.cu", 4);
  other_kernel.place.kernel = "other";
  reporter->add(other_kernel);
  Finding warning = sample_read("k.cu", 4);
  warning.id = FindingId::kEarlyExit;
  warning.severity = Severity::kWarning;
  reporter->add(warning);
  CHECK(reporter->counts().errors == 3);
  CHECK(reporter->counts().warnings == 1);
  CHECK(reporter->counts().folded == 2);
  CHECK(reporter->summary() == "offgrid: 3 errors, 1 warning (2 folded)");
  reporter->finish();
  const std::string text = reporter.text();
  CHECK(count_of(text, "error[oob-read]: ") == 3);
  CHECK(text.find("offgrid: error[oob-read] at k.cu:4 in paged_prefill<fp16, 128>: 2 more like it, block (0, 3, 0), "
                  "thread (33, 0, 0)\n"
                  "offgrid: 3 errors, 1 warning (2 folded)\n") != std::string::npos);
}

TEST_CASE("TextReporter.PrintsNothingIfNothingWasFound") {
  CapturedReporter reporter;
  reporter->finish();
  CHECK(reporter.text().empty());
  CHECK(reporter->summary() == "offgrid: no findings");
}

TEST_CASE("TextReporter.PrintsTheSummaryOnce") {
  CapturedReporter reporter;
  reporter->add(sample_read("k.cu", 1));
  reporter->finish();
  reporter->finish();
  CHECK(count_of(reporter.text(), "offgrid: 1 error\n") == 1);
}

TEST_CASE("TextReporter.CountsButDoesNotPrintBeyondTheCap") {
  CapturedReporter reporter({.max_findings = 2});
  for (unsigned line = 1; line <= 5; ++line) reporter->add(sample_read("k.cu", line));
  CHECK(reporter->counts().errors == 5);
  const std::string text = reporter.text();
  CHECK(count_of(text, "error[oob-read]: ") == 2);
  CHECK(count_of(text, "offgrid: more than 2 findings; further ones are only counted\n") == 1);
}

TEST_CASE("TextReporter.CountsFindingsOfAllWorkers") {
  CapturedReporter reporter;
  std::vector<std::thread> workers;
  for (unsigned w = 0; w < 4; ++w) {
    workers.emplace_back([&, w] {
      for (unsigned i = 0; i < 50; ++i) reporter->add(sample_read("k.cu", 1 + (w + i) % 5));
    });
  }
  for (std::thread& worker : workers) worker.join();
  CHECK(reporter->counts().errors == 5);
  CHECK(reporter->counts().folded == 195);
}

TEST_CASE("TextReporter.WritesJsonLinesAndASummaryObject") {
  const ScratchFile file("report.jsonl");
  CapturedReporter reporter({.files = {{ReportFormat::kJsonLines, file.path()}}});
  for (unsigned line : {1u, 1u, 2u}) reporter->add(sample_read("k.cu", line));
  reporter->finish();
  std::istringstream lines(read_file(file.path()));
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
  REQUIRE(objects.size() == 3);
  CHECK(objects[1]["sites"][0]["line"] == 2);
  CHECK(objects[2]["summary"] ==
        nlohmann::json({{"errors", 2}, {"warnings", 0}, {"notes", 0}, {"folded", 1}, {"waived", 0}, {"unlisted", 0}}));
  CHECK(objects[2]["repeats"][0]["count"] == 1);
  CHECK(objects[2]["repeats"][0]["threads"] == nlohmann::json({{33, 0, 0}, {33, 0, 0}}));
}

TEST_CASE("TextReporter.SaysIfJsonLinesCannotBeWritten") {
  CapturedReporter reporter({.files = {{ReportFormat::kJsonLines, "/nonexistent/folder/report.jsonl"}}});
  CHECK(reporter.text() == "offgrid: cannot write /nonexistent/folder/report.jsonl: No such file or directory\n");
}

TEST_CASE("TextReporter.TheCapHoldsForFilesToo") {
  const ScratchFile lines("report.jsonl"), sarif("report.sarif"), junit("report.xml");
  CapturedReporter reporter({.max_findings = 2,
                             .files = {{ReportFormat::kJsonLines, lines.path()},
                                       {ReportFormat::kSarif, sarif.path()},
                                       {ReportFormat::kJunit, junit.path()}}});
  for (unsigned line : {1u, 2u, 3u, 4u, 4u}) reporter->add(sample_read("k.cu", line));
  reporter->finish();
  CHECK(count_of(read_file(lines.path()), "\"kind\":") == 2);
  CHECK(count_of(read_file(lines.path()), "\"unlisted\":2") == 1);
  const nlohmann::json run = nlohmann::json::parse(read_file(sarif.path()))["runs"][0];
  CHECK(run["results"].size() == 2);
  CHECK(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] ==
        "2 more findings were only counted");
  CHECK(count_of(read_file(junit.path()), "<failure ") == 2);
  CHECK(reporter->counts().errors == 4);
  CHECK(reporter->counts().folded == 1);
}

TEST_CASE("TextReporter.SaysOnceIfAWholeFileCannotBeWritten") {
  CapturedReporter reporter({.files = {{ReportFormat::kSarif, "/nonexistent/folder/report.sarif"}}});
  for (unsigned line : {1u, 2u}) reporter->add(sample_read("k.cu", line));
  reporter->finish();
  CHECK(count_of(reporter.text(), "offgrid: cannot write /nonexistent/folder/report.sarif: No such file") == 1);
}

TEST_CASE("TextReporter.FailsFromTheChosenSeverityOn") {
  Finding warning = sample_read("k.cu", 4);
  warning.severity = Severity::kWarning;
  CapturedReporter usual;
  usual->add(warning);
  CHECK_FALSE(usual->failed());
  usual->add(sample_read("k.cu", 5));
  CHECK(usual->failed());
  CapturedReporter strict({.fail_on = Severity::kWarning});
  strict->add(warning);
  CHECK(strict->failed());
}
