// Findings of cases that a waiver file excuses: such cases are waived, not failed, and not passed either.
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

Outcome run_cases(const std::string& arguments, const ScratchFile& waivers) {
  const ScratchFile out("out"), err("err");
  const std::string command = "env -u OFFGRID_REPORT OFFGRID_WAIVERS=" + waivers.path() + " " WAIVED_CASES " run " +
                              arguments + " >" + out.path() + " 2>" + err.path();
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(out.path()),
          read_file(err.path())};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("WaiversRun.CasesWithWaivedFindingsAreWaived") {
  const ScratchFile waivers("waivers.txt", "host-api-misuse * known.cu:7  # planted\n");
  const Outcome outcome = run_cases("--only known", waivers);
  CHECK(outcome.status == 0);
  CHECK(has(outcome.out, "waive known(times=1)"));
  CHECK(has(outcome.out, "waive known(times=3)"));
  CHECK(has(outcome.out, "  waived findings: 3\n"));
  CHECK(has(outcome.out, "0 passed, 0 failed, 0 skipped, 2 waived"));
  CHECK(has(outcome.err, "known.cu:7, and 3 more like it: planted"));
}

TEST_CASE("WaiversRun.FindingsAtOtherPlacesStillFail") {
  const ScratchFile waivers("waivers.txt", "host-api-misuse * known.cu:7  # planted\n");
  const Outcome outcome = run_cases("", waivers);
  CHECK(outcome.status == 1);
  CHECK(has(outcome.out, "FAIL  other"));
  CHECK(has(outcome.out, "1 passed, 1 failed, 0 skipped, 2 waived"));
}

TEST_CASE("WaiversRun.AStaleWaiverIsNamed") {
  const ScratchFile waivers("waivers.txt", "host-api-misuse * known.cu:7  # planted\n");
  const Outcome outcome = run_cases("--only clean", waivers);
  CHECK(outcome.status == 0);
  CHECK(has(outcome.err, ":1: waiver host-api-misuse * known.cu:7 matched nothing"));
  CHECK(has(outcome.out, "1 passed, 0 failed, 0 skipped, 0 waived"));
}
