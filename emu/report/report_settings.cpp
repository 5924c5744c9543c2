#include "report/report_settings.h"

#include <errno.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "report/report_files.h"
#include "report/text_report.h"

namespace offgrid::emu {
namespace {

std::string value_of(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

[[noreturn]] void refuse(const char* name, const std::string& value, const std::string& rule) {
  throw std::runtime_error(std::string(name) + "=" + value + ": " + rule);
}

/// %p becomes the process's id, %n the program's name: programs that run one after the other keep apart.
std::string expanded(std::string path) {
  const auto replace = [&](const std::string& what, const std::string& by) {
    for (std::size_t at = path.find(what); at != path.npos; at = path.find(what, at + by.size())) {
      path.replace(at, what.size(), by);
    }
  };
  replace("%p", std::to_string(getpid()));
  replace("%n", program_invocation_short_name);
  return path;
}

std::vector<ReportFile> report_files() {
  const std::string value = value_of("OFFGRID_REPORT");
  std::vector<ReportFile> files;
  for (std::size_t begin = 0; begin < value.size();) {
    const std::size_t end = std::min(value.find(',', begin), value.size());
    const std::string path = value.substr(begin, end - begin);
    begin = end + 1;
    const std::optional<ReportFormat> format = format_of(path);
    if (!format) {
      refuse("OFFGRID_REPORT", value,
             "the ending of `" + path +
                 "` names no format; use .jsonl (JSON lines), .sarif (SARIF 2.1.0) or .xml (JUnit)");
    }
    std::error_code ignored;
    files.push_back({*format, std::filesystem::absolute(expanded(path), ignored).string()});
  }
  return files;
}

std::size_t max_findings() {
  const std::string value = value_of("OFFGRID_MAX_FINDINGS");
  if (value.empty()) return ReporterOptions{}.max_findings;
  std::size_t n = 0;
  const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc() || stop != value.data() + value.size() || n == 0) {
    refuse("OFFGRID_MAX_FINDINGS", value, "must be a number from 1");
  }
  return n;
}

bool wants_colour() {
  const std::string value = value_of("OFFGRID_COLOR");
  if (value == "always") return true;
  if (value == "never") return false;
  if (!value.empty() && value != "auto") refuse("OFFGRID_COLOR", value, "must be always, never or auto");
  return isatty(STDERR_FILENO) != 0 && value_of("NO_COLOR").empty() && value_of("TERM") != "dumb";
}

Severity fail_on() {
  const std::string value = value_of("OFFGRID_FAIL_ON");
  if (value.empty()) return Severity::kError;
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kNote}) {
    if (value == severity_name(severity)) return severity;
  }
  refuse("OFFGRID_FAIL_ON", value, "must be error, warning or note");
}

}  // namespace

ReporterOptions options_from_environment() {
  ReporterOptions options;
  std::error_code ignored;
  options.format.base_directory = std::filesystem::current_path(ignored).string();
  options.format.colour = wants_colour();
  options.files = report_files();
  options.max_findings = max_findings();
  options.fail_on = fail_on();
  if (const std::string file = value_of("OFFGRID_WAIVERS"); !file.empty()) {
    try {
      options.waivers = read_waivers(file);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("OFFGRID_WAIVERS: " + std::string(error.what()));
    }
  }
  return options;
}

}  // namespace offgrid::emu
