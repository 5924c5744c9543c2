/// The engine as the host side sees it: settings, the active device profile, where findings go.
#pragma once

#include <offgrid/emu/device_profile.h>
#include <offgrid/emu/finding.h>

#include <cstddef>
#include <cstdint>

namespace offgrid::emu {

/// Which lane of a block runs next.
enum class Schedule {
  kInOrder,      ///< a lane runs until it must wait; then the next one
  kInterleaved,  ///< after each access to memory the next lane has its turn. Checked programs only
};

/// Settings of the process's one engine. The environment is read once, at the first use, into this struct:
/// OFFGRID_DEVICE (profile name), OFFGRID_WORKERS, OFFGRID_SCHEDULE (in-order, interleaved).
struct EngineSettings {
  const DeviceProfile* profile = nullptr;  ///< null: OFFGRID_DEVICE, else the program's -arch, else sm_90
  unsigned workers = 0;                    ///< OS threads that run blocks; 0: one a core; 1: a run repeats exactly
  Schedule schedule = Schedule::kInOrder;
  std::size_t stack_bytes = 64 * 1024;       ///< per lane; only touched pages cost memory
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
