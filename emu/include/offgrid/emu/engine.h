/// The engine as the host side sees it: settings, the active device profile, where findings go.
#pragma once

#include <offgrid/emu/device_profile.h>
#include <offgrid/emu/finding.h>
#include <offgrid/emu/numerics/exact.h>

#include <cstddef>
#include <cstdint>

namespace offgrid::emu {

class SchedulePolicy;

/// Settings of the process's one engine. The environment is read once, at the first use, into this struct:
/// OFFGRID_DEVICE (profile name), OFFGRID_WORKERS, OFFGRID_SCHEDULE (a policy, as <offgrid/emu/schedule.h> writes it),
/// OFFGRID_NUMERICS (exact or fast).
struct EngineSettings {
  const DeviceProfile* profile = nullptr;  ///< null: OFFGRID_DEVICE, else the program's -arch, else sm_90
  unsigned workers = 0;                    ///< OS threads that run blocks; 0: one a core; 1: a run repeats exactly
  SchedulePolicy* policy = nullptr;     ///< who runs next, on one worker; must live on. Null: in order, at full speed
  std::size_t stack_bytes = 64 * 1024;  ///< per lane; only touched pages cost memory
  Numerics numerics = Numerics::kProfile;    ///< kProfile: OFFGRID_NUMERICS, else what the profile is modelled for
  std::uint64_t livelock_yields = 1u << 21;  ///< turns a block's lanes may take without any progress
};

/// Replaces the settings. Not while a kernel runs.
void configure_engine(const EngineSettings& settings);
const EngineSettings& engine_settings();

/// The profile that launches are validated against and run with.
const DeviceProfile& active_profile();

/// Where findings go: by default to the reporter that prints them to stderr as they come. Returns the previous sink;
/// null restores the default.
FindingSink& finding_sink();
FindingSink* set_finding_sink(FindingSink* sink);

}  // namespace offgrid::emu
