/// The process's own reporter and its last word: the summary and the exit status.
#include <offgrid/emu/report.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace offgrid::emu {
namespace {

ReporterOptions options_from_environment() {
  const auto value = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text ? text : "");
  };
  ReporterOptions options;
  options.format.colour = isatty(STDERR_FILENO) != 0 && value("NO_COLOR").empty() && value("TERM") != "dumb";
  std::error_code ignored;
  options.format.base_directory = std::filesystem::current_path(ignored).string();
  options.json_path = value("OFFGRID_REPORT");
  return options;
}

pid_t g_owner = 0;  // set before main; a forked child does not repeat its parent's summary

/// _exit leaves out what would still run after this handler: only what shared libraries registered before the program
/// began, because this handler is registered first of the program's own.
void at_exit(int status, void*) {
  if (getpid() != g_owner) return;
  TextReporter& reporter = default_reporter();
  reporter.finish();
  if (status != 0 || reporter.counts().errors == 0) return;
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  _exit(1);
}

[[gnu::constructor(101)]] void register_at_exit() {
  g_owner = getpid();
  on_exit(at_exit, nullptr);
}

}  // namespace

TextReporter& default_reporter() {
  static TextReporter& reporter = *new TextReporter(options_from_environment());  // outlives all static objects
  return reporter;
}

}  // namespace offgrid::emu
