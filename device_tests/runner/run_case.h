// Runs one case so that nothing it does escapes: exceptions and the emulator's findings become failures.
#pragma once

#include <offgrid/cases/case.h>

#include <cstddef>

namespace offgrid::cases {

/// Findings of the device so far; none where there is no checker.
struct DeviceFindings {
  std::size_t reported = 0;
  std::size_t waived = 0;  ///< excused by a line of the file that --waivers names
};
DeviceFindings findings_so_far();

/// What the results came from: "emu:sm_90", "cuda", "hip".
std::string device_name();

struct Timed {
  Outcome outcome;
  double seconds = 0;
};

/// A case that passes, but with waived findings, is waived.
Timed run_case(const Case& one);

/// The command that runs a case again: "offgrid run --only 'NAME'", of probes "offgrid-probes run --only 'NAME'".
std::string rerun_command(const std::string& name);

/// Cases that ended in each way.
struct Tally {
  int passed = 0, failed = 0, skipped = 0, waived = 0;
  void count(Status status);
  std::string text() const;  ///< "118 passed, 0 failed, 0 skipped, 0 waived"
};

}  // namespace offgrid::cases
