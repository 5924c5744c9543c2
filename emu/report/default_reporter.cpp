/// The process's own reporter: its options, and its last word, the summary and the exit status.
#include <offgrid/emu/report.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>

#include "report/report_settings.h"

namespace offgrid::emu {
namespace {

pid_t g_owner = 0;  // set before main; a forked child does not repeat its parent's summary
bool g_left_to_others = false;

ReporterOptions options_or_exit() {
  try {
    return options_from_environment();
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "offgrid: error: %s\n", error.what());
    _exit(2);
  }
}

const ReporterOptions& process_options() {
  static const ReporterOptions& options = *new ReporterOptions(options_or_exit());
  return options;
}

/// _exit leaves out what would still run after this handler: only what shared libraries registered before the program
/// began, because this handler is registered first of the program's own.
void at_exit(int status, void*) {
  if (getpid() != g_owner || g_left_to_others) return;
  TextReporter& reporter = default_reporter();
  const bool fails = status == 0 && reporter.failed();
  reporter.finish(fails ? 1 : status);
  if (!fails) return;
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  _exit(1);
}

[[gnu::constructor(101)]] void register_at_exit() {
  g_owner = getpid();
  on_exit(at_exit, nullptr);
}

/// A wrong environment is said before the program's work, not after it.
[[gnu::constructor]] void read_options() { process_options(); }

}  // namespace

TextReporter& default_reporter() {
  static TextReporter& reporter = *new TextReporter(process_options());  // outlives all static objects
  return reporter;
}

void leave_reports_to_others() { g_left_to_others = true; }

}  // namespace offgrid::emu
