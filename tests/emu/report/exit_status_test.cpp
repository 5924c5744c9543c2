/// What a program's exit looks like when the reporter had something to say: status, output and report files.
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "catch.h"
#include "golden.h"
#include "scratch_file.h"

using namespace offgrid::test;

namespace {

struct Outcome {
  int status;
  std::string out, err;
};

Outcome run_program(const std::string& arguments, const std::string& environment = "OFFGRID_REPORT=") {
  const ScratchFile out("out"), err("err");
  const std::string command = "env -u OFFGRID_WAIVERS -u OFFGRID_FAIL_ON " + environment + " " EXIT_PROGRAM " " +
                              arguments + " >" + out.path() + " 2>" + err.path();
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(out.path()),
          read_file(err.path())};
}

}  // namespace

TEST_CASE("ExitStatus.ErrorsMakeASuccessfulProgramFail") {
  const Outcome outcome = run_program("error 0");
  CHECK(outcome.status == 1);
  CHECK(outcome.err == "error[host-api-misuse]: a planted finding\n\noffgrid: 1 error\n");
}

TEST_CASE("ExitStatus.NothingThatTheProgramPrintedIsLost") {
  CHECK(run_program("error 0").out == "unflushed text\nstatic destructor\n");
}

TEST_CASE("ExitStatus.TheProgramsOwnFailureStays") { CHECK(run_program("error 3").status == 3); }

TEST_CASE("ExitStatus.WarningsDoNotFail") {
  const Outcome outcome = run_program("warning 0");
  CHECK(outcome.status == 0);
  CHECK(outcome.err == "warning[host-api-misuse]: a planted finding\n\noffgrid: 1 warning\n");
}

TEST_CASE("ExitStatus.ACleanProgramIsSilent") {
  const Outcome outcome = run_program("none 0");
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
}

TEST_CASE("ExitStatus.JsonLinesEndWithASummaryEvenIfClean") {
  const ScratchFile json("report.jsonl");
  run_program("none 0", "OFFGRID_REPORT=" + json.path());
  CHECK(read_file(json.path()) ==
        "{\"program\":\"report_exit_program\",\"summary\":{\"errors\":0,\"warnings\":0,\"notes\":0,\"folded\":0,"
        "\"waived\":0,\"unlisted\":0},\"repeats\":[],\"unmatched_waivers\":[]}\n");
}

TEST_CASE("ExitStatus.FailOnChoosesTheSeverityThatFails") {
  CHECK(run_program("warning 0", "OFFGRID_FAIL_ON=warning").status == 1);
  CHECK(run_program("note 0", "OFFGRID_FAIL_ON=warning").status == 0);
  CHECK(run_program("note 0", "OFFGRID_FAIL_ON=note").status == 1);
  CHECK(run_program("none 0", "OFFGRID_FAIL_ON=note").status == 0);
}

TEST_CASE("ExitStatus.AWrongEnvironmentEndsTheProgramBeforeItBegins") {
  const Outcome outcome = run_program("none 0", "OFFGRID_REPORT=report.txt");
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err ==
        "offgrid: error: OFFGRID_REPORT=report.txt: the ending of `report.txt` names no format; use .jsonl (JSON "
        "lines), .sarif (SARIF 2.1.0) or .xml (JUnit)\n");
}

TEST_CASE("ExitStatus.AMalformedWaiverEndsTheProgramBeforeItBegins") {
  const ScratchFile waivers("waivers.txt", "host-api-misuse *\n");
  const Outcome outcome = run_program("error 0", "OFFGRID_WAIVERS=" + waivers.path());
  CHECK(outcome.status == 2);
  CHECK(outcome.err.find("offgrid: error: OFFGRID_WAIVERS: " + waivers.path() + ":1: a waiver needs a reason; ") == 0);
}

TEST_CASE("ExitStatus.WaivedErrorsDoNotFail") {
  const ScratchFile waivers("waivers.txt", "host-api-misuse * # known\n"),
      other("other.txt", "host-api-misuse k # known\n");
  CHECK(run_program("error 0", "OFFGRID_WAIVERS=" + waivers.path()).status == 0);
  CHECK(run_program("error 0", "OFFGRID_WAIVERS=" + other.path()).status == 1);
}

TEST_CASE("ExitStatus.ReportFilesKnowTheStatusHoweverTheProgramEnds") {
  for (const char* how : {"return", "exit"}) {
    const ScratchFile sarif("report.sarif"), junit("report.xml");
    const auto exit_code = [&](const std::string& arguments) {
      run_program(arguments + " " + how, "OFFGRID_REPORT=" + sarif.path() + "," + junit.path());
      CHECK(read_file(junit.path()).find("</testsuites>\n") != std::string::npos);
      return nlohmann::json::parse(read_file(sarif.path()))["runs"][0]["invocations"][0]["exitCode"].get<int>();
    };
    CHECK(exit_code("none 0") == 0);
    CHECK(exit_code("error 0") == 1);
    CHECK(exit_code("error 3") == 3);
  }
}

TEST_CASE("ExitStatus.AKilledProgramLeavesWhatWasFound") {
  const ScratchFile sarif("report.sarif");
  CHECK(run_program("error 0 kill", "OFFGRID_REPORT=" + sarif.path()).status == 128 + 9);
  const nlohmann::json run = nlohmann::json::parse(read_file(sarif.path()))["runs"][0];
  CHECK(run["results"].size() == 1);
  CHECK(run["invocations"][0]["executionSuccessful"] == false);
}

TEST_CASE("ExitStatus.CommandsThatLeaveReportsToOthersWriteNone") {
  const ScratchFile folder("reports");
  const std::string path = folder.path() + ".sarif";
  const Outcome outcome = run_program("none 0 others", "OFFGRID_REPORT=" + path);
  CHECK(outcome.status == 0);
  CHECK_FALSE(std::filesystem::exists(path));
}
