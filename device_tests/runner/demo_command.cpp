// demo: the cases worth showing, with their errors against fp64.
#include <offgrid/cases/commands.h>

#include <cstdio>
#include <string>

#include "runner/run_case.h"

namespace offgrid::cases {
namespace {

void print(const Case& one, const Timed& result) {
  const Outcome& outcome = result.outcome;
  std::printf("%s  (%.2f s)%s\n", one.name.c_str(), result.seconds, outcome.status == Status::kFailed ? "  FAIL" : "");
  for (const ErrorFigures& f : outcome.figures) {
    std::printf("  %-4s %-5s %10.2e %10.2e %10.2e %9.2f %10.3f\n", f.tensor.c_str(), f.format.c_str(), f.max_abs,
                f.max_rel, f.rms_rel, f.max_ulp, f.max_ratio);
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
  std::printf("MLA decode on %s against fp64\n\n", device_name().c_str());
  std::printf("  %-10s %10s %10s %10s %9s %10s\n", "", "max abs", "max rel", "rms rel", "max ulp", "of bound");
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
    print(one, result);
  }
  std::printf(
      "\n%s, %.1f s.\n"
      "max rel and max ulp count elements near 0 too. \"of bound\" is the error over the largest that the arithmetic\n"
      "allows (reference/README.md \"decode bound\"), which for 16-bit formats is mostly the rounding of the output.\n",
      tally.text().c_str(), seconds);
  return tally.failed > 0 ? 1 : 0;
}

}  // namespace offgrid::cases
