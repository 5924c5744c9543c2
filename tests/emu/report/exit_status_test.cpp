/// What a program's exit looks like when the reporter had something to say: status, output and JSON lines.
#include <sys/wait.h>

#include <cstdlib>
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
  const std::string command = environment + " " EXIT_PROGRAM " " + arguments + " >" + out.path() + " 2>" + err.path();
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(out.path()), read_file(err.path())};
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
        "{\"program\":\"report_exit_program\",\"summary\":{\"errors\":0,\"warnings\":0,\"notes\":0,\"folded\":0},"
        "\"repeats\":[]}\n");
}
