/// Reports one finding of the given severity and ends: exit_program none|note|warning|error [STATUS [HOW]], where HOW
/// is `return` (default), `exit` (from within a function), `kill` (by a signal) or `others` (leaves reports to others).
#include <offgrid/emu/report.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

using namespace offgrid::emu;

namespace {
struct PrintsLate {
  ~PrintsLate() { std::cout << "static destructor\n"; }
} g_prints_late;
}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "none", how = argc > 3 ? argv[3] : "return";
  const int status = argc > 2 ? std::atoi(argv[2]) : 0;
  Finding finding;
  finding.id = FindingId::kHostApiMisuse;
  finding.severity = what == "error" ? Severity::kError : what == "warning" ? Severity::kWarning : Severity::kNote;
  finding.headline = "a planted finding";
  if (how == "others") leave_reports_to_others();
  if (what != "none") default_reporter().add(finding);
  std::printf("unflushed text\n");
  if (how == "exit") std::exit(status);
  if (how == "kill") std::raise(SIGKILL);
  return status;
}
