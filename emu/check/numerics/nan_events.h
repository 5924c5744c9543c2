/// The NaNs that were made so far, and where; a NaN's tag is its number here.
#pragma once

#include <offgrid/emu/finding.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/numerics/invalid_operation.h"
#include "engine/kernel_arguments.h"

namespace offgrid::emu {

struct LaunchState;
struct Lane;

struct NanEvent {
  static constexpr std::size_t kMaxCallers = 12;
  NanCreation what;
  std::uintptr_t pc = 0;
  std::uintptr_t callers[kMaxCallers] = {};  ///< return addresses less 1, innermost first; then zeros
  std::uint32_t launch = 0;                  ///< which of the noted launches
  Index3 block, thread;
  std::uint8_t warp = 0, lane = 0;
  bool in_library = false;  ///< pc lies in another module than the kernel
  bool narrowed = false;    ///< the NaN was converted to 16 bits, which hold no tag
};

/// Events from now on belong to this launch. On the worker's own stack.
void note_launch_of_events(const LaunchState& launch);

/// Keeps an event of the running lane and returns its tag; 0 if there is no room. Called in a signal handler: no
/// allocation.
unsigned add_nan_event(const NanEvent& event, const Lane& lane);

unsigned nan_event_count();
/// tag in 1..nan_event_count()
NanEvent& nan_event(unsigned tag);
/// The launch's and the lane's place.
LaunchPlace place_of(const NanEvent& event);
/// What the launch got: names for the memory that a NaN reaches.
const std::vector<KernelArgument>& arguments_of(const NanEvent& event);

}  // namespace offgrid::emu
