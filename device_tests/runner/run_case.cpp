// See run_case.h.
#include "runner/run_case.h"

#include <offgrid/portable/canary.h>
#include <offgrid/portable/vendor.h>

#include <chrono>
#include <exception>

#if OFFGRID_VENDOR_EMU
#include <offgrid/emu/engine.h>
#include <offgrid/emu/report.h>
#endif

namespace offgrid::cases {

DeviceFindings findings_so_far() {
#if OFFGRID_VENDOR_EMU
  const auto counts = emu::default_reporter().counts();
  return {counts.errors + counts.warnings + counts.folded, counts.waived + counts.folded_waived};
#else
  return {};
#endif
}

std::string device_name() {
#if OFFGRID_VENDOR_EMU
  return "emu:" + std::string(emu::active_profile().name);
#elif OFFGRID_VENDOR_HIP
  return "hip";
#else
  return "cuda";
#endif
}

Timed run_case(const Case& one) {
  Timed result;
  const DeviceFindings before = findings_so_far();
  const auto begin = std::chrono::steady_clock::now();
  gpu::Canaries& canaries = gpu::Canaries::instance();
  canaries.take_violations();
  try {
    result.outcome = one.run();
    canaries.check();
  } catch (const std::exception& error) {
    result.outcome.fail("  " + std::string(error.what()) + "\n");
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const DeviceFindings after = findings_so_far();
  const std::size_t found = after.reported - before.reported, waived = after.waived - before.waived;
  for (const std::string& violation : canaries.take_violations()) result.outcome.fail("  " + violation + "\n");
  if (found > static_cast<std::size_t>(one.expected_findings)) {
    result.outcome.fail("  findings: " + std::to_string(found) + ", reported above\n");
  }
  if (result.outcome.status == Status::kFailed && !one.waiver.empty()) {
    result.outcome.status = Status::kWaived;
    result.outcome.text += "  waived: " + one.waiver + "\n";
  }
  if (waived > 0) {
    result.outcome.text += "  waived findings: " + std::to_string(waived) + "\n";
    if (result.outcome.status == Status::kPassed) result.outcome.status = Status::kWaived;
  }
  return result;
}

std::string rerun_command(const std::string& name) {
  const bool in_probes = name.starts_with("probe(") || name.starts_with("canary(");
  return std::string(in_probes ? "offgrid-probes" : "offgrid") + " run --only '" + name + "'";
}

void Tally::count(Status status) {
  switch (status) {
    case Status::kPassed:
      ++passed;
      break;
    case Status::kFailed:
      ++failed;
      break;
    case Status::kSkipped:
      ++skipped;
      break;
    case Status::kWaived:
      ++waived;
      break;
  }
}

std::string Tally::text() const {
  return std::to_string(passed) + " passed, " + std::to_string(failed) + " failed, " + std::to_string(skipped) +
         " skipped, " + std::to_string(waived) + " waived";
}

}  // namespace offgrid::cases
