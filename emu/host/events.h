/// Events: a point in time, and in a capture a point in the graph.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "host/streams.h"

struct CUevent_st {
  unsigned flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point at;
  offgrid::emu::check::StreamClock clock;              ///< what is over once the event is; empty: nothing
  std::weak_ptr<offgrid::emu::host::Capture> capture;  ///< in which it was last recorded
  std::vector<cudaGraphNode_t> nodes;                  ///< what it stands for there
};

namespace offgrid::emu::host {

/// cudaErrorInvalidResourceHandle with its finding.
cudaError_t report_dead_event(const ApiCall& api);

/// What waiting for the event does to captures: the stream joins the event's capture, or an error.
cudaError_t join_capture(CUstream_st& stream, const CUevent_st& event);

}  // namespace offgrid::emu::host
