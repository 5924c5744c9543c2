// demo: the cases worth showing, with their errors against fp64.
#include <offgrid/cases/commands.h>

#include <cstdio>
#include <string>

#include "runner/run_case.h"

namespace offgrid::cases {
namespace {

constexpr const char* kLine = "%-74s %-4s %-5s %9s %9s %7s %8s\n";

std::string figure(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

void print_figures(const Case& one, const Outcome& outcome) {
  std::string name = one.name;
  for (const ErrorFigures& f : outcome.figures) {
    std::printf(kLine, name.c_str(), f.tensor.c_str(), f.format.c_str(), figure("%.2e", f.max_abs).c_str(),
                figure("%.2e", f.max_rel).c_str(), figure("%.2f", f.max_ulp).c_str(),
                figure("%.3f", f.max_ratio).c_str());
    name.clear();
  }
  std::printf("%s", outcome.text.c_str());
  std::fflush(stdout);
}

}  // namespace

int demo_command(std::span<char*> arguments) {
  if (arguments.size() > 1) {
    std::fprintf(stderr, "usage: offgrid demo\n");
    return 2;
  }
  std::printf("MLA decode on %s against fp64: largest errors of each case\n\n", device_name().c_str());
  std::printf(kLine, "case", "", "", "abs", "rel", "ulp", "of bound");
  std::fflush(stdout);
  Tally tally;
  double seconds = 0;
  for (const Case& one : Registry::instance().all()) {
    if (!one.in_demo) continue;
    std::fprintf(stderr, "... %s\r", one.name.c_str());  // progress, overwritten by the result
    const Timed result = run_case(one);
    std::fprintf(stderr, "%*s\r", static_cast<int>(one.name.size()) + 4, "");
    tally.count(result.outcome.status);
    seconds += result.seconds;
    print_figures(one, result.outcome);
  }
  std::printf(
      "\n%s, %.1f s.  rel counts elements near 0 too; \"of bound\": error over the bound of "
      "reference/README.md \"decode bound\"\n",
      tally.text().c_str(), seconds);
  return tally.failed > 0 ? 1 : 0;
}

}  // namespace offgrid::cases
