/// Reports one finding of the given severity and ends with the given status: exit_program none|warning|error STATUS.
#include <offgrid/emu/report.h>

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
  const std::string what = argc > 1 ? argv[1] : "none";
  Finding finding;
  finding.id = FindingId::kHostApiMisuse;
  finding.severity = what == "error" ? Severity::kError : Severity::kWarning;
  finding.headline = "a planted finding";
  if (what != "none") default_reporter().add(finding);
  std::printf("unflushed text\n");
  return argc > 2 ? std::atoi(argv[2]) : 0;
}
