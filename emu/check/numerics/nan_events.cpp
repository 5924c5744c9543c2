#include "check/numerics/nan_events.h"

#include <offgrid/emu/numerics/nan_tag.h>

#include <algorithm>
#include <deque>

#include "engine/state.h"

namespace offgrid::emu {
namespace {

// Never-touched pages of it cost nothing.
NanEvent events[kMaxNanTag + 1];
unsigned event_count = 0;

struct NotedLaunch {
  LaunchPlace place;
  std::vector<KernelArgument> arguments;
  bool has_events = false;
};
std::deque<NotedLaunch>& launches() {
  static auto* noted = new std::deque<NotedLaunch>;  // used until the very end of the process
  return *noted;
}

}  // namespace

void note_launch_of_events(const LaunchState& launch) {
  std::deque<NotedLaunch>& noted = launches();
  if (!noted.empty() && noted.back().place.launch_number == launch.number) return;
  if (noted.empty() || noted.back().has_events) noted.emplace_back();
  noted.back().place = place_of(launch);
  noted.back().arguments = kernel_arguments(*launch.kernel, launch.closure);
}

unsigned add_nan_event(const NanEvent& event, const Lane& lane) {
  if (event_count == kMaxNanTag) return 0;
  NanEvent& kept = events[++event_count];
  kept = event;
  const Block& block = *lane.warp->block;
  kept.block = {block.index[0], block.index[1], block.index[2]};
  kept.thread = {lane.thread[0], lane.thread[1], lane.thread[2]};
  kept.warp = lane.warp->index;
  kept.lane = lane.index;
  kept.launch = static_cast<std::uint32_t>(launches().size() - 1);
  launches().back().has_events = true;
  return event_count;
}

unsigned nan_event_count() { return event_count; }

NanEvent& nan_event(unsigned tag) { return events[tag]; }

LaunchPlace place_of(const NanEvent& event) {
  LaunchPlace place = launches()[event.launch].place;
  place.block = event.block;
  place.thread = event.thread;
  place.has_block = place.has_lane = true;
  place.warp = event.warp;
  place.lane = event.lane;
  return place;
}

const std::vector<KernelArgument>& arguments_of(const NanEvent& event) { return launches()[event.launch].arguments; }

}  // namespace offgrid::emu
