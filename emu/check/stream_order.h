/// The order between operations of streams, as far as the program has asked for it. The emulator runs every operation
/// when it is issued; a device may run those that nothing orders at once, or the other way round.
///
/// A clock says of each stream how many of its operations are over. The host has one, too: what it has waited for is
/// over for all that it issues later. Threads of the host count as one.
#pragma once

#include <offgrid/emu/finding.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "check/segments.h"

namespace offgrid::emu {
struct LaunchState;
}

namespace offgrid::emu::check {

using StreamId = unsigned;
inline constexpr StreamId kLegacyStream = 0;
using StreamClock = std::vector<std::uint64_t>;  ///< by StreamId; what is missing is 0

/// A box of bytes.
struct Rows {
  std::uintptr_t begin = 0;
  std::size_t width = 0, height = 1, depth = 1;
  std::size_t pitch = 0, slice = 0;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// A copy or a fill, as it is issued.
struct CopyCall {
  Rows to, from;  ///< `from` is empty: a fill
  std::uintptr_t pc = 0;
  std::string name;  ///< "cudaMemcpyAsync"
};

/// One operation of a stream.
struct Operation {
  StreamId stream = kLegacyStream;
  std::uint64_t number = 0;  ///< in its stream, from 1
  int stream_shown = 0;      ///< the number that reports give the stream
  bool is_launch = false;
  Time begin = 0, end = 0;  ///< a launch's cells
  LaunchPlace place;        ///< a launch's
  unsigned dim[3] = {1, 1, 1};
  CopyCall copy;
};
using OperationPointer = std::shared_ptr<const Operation>;

// What the host tells.

StreamId stream_created(bool blocking);
void stream_destroyed(StreamId stream);
/// What is over once everything is that the stream has been given so far.
StreamClock stream_clock(StreamId stream);
/// What the stream is given from now on waits for that.
void stream_waits(StreamId stream, const StreamClock& clock);
/// The calling thread has waited.
void host_waits(const StreamClock& clock);
void host_waits_for_all();

/// While it lives, what the calling thread issues belongs to the stream.
class OnStream {
 public:
  OnStream(StreamId stream, int shown);
  ~OnStream();
  OnStream(const OnStream&) = delete;
  OnStream& operator=(const OnStream&) = delete;

 private:
  StreamId stream_;
  int shown_;
};

/// While it lives, the calling thread's stream runs a graph whose branches nothing orders: each operation is as one of
/// a stream of its own. Operations are counted in the order in which they run.
class OnGraph {
 public:
  OnGraph();
  ~OnGraph();
  OnGraph(const OnGraph&) = delete;
  OnGraph& operator=(const OnGraph&) = delete;

  /// What is issued from here on belongs to the next operation, which waits for some of those before it.
  void next(const std::vector<std::size_t>& after);

 private:
  StreamId stream_;
  StreamClock begin_;
  std::vector<StreamId> nodes_;
};

/// A copy or fill is about to run: notes it, and gives the earlier operations that are not ordered before it.
std::vector<OperationPointer> issue_copy(const CopyCall& call, OperationPointer& issued);

// What the checks ask. One launch runs at a time.

/// A launch is issued. Gives the earlier operations that it is not ordered behind.
const std::vector<OperationPointer>& issue_launch(const LaunchState& launch);
/// It begins: its cells are from here on. Gives the cell from which on earlier ones may be unordered.
Time begin_issued(Time now);
void end_issued(Time now);
/// The same list as issue_launch gave.
const std::vector<OperationPointer>& unordered_before_launch();
const Operation& issued_launch();
/// The launch that a cell from before the running one belongs to, if the two are not ordered; else null.
const Operation* unordered_launch(Cell cell);
/// Cells from here on are of the running launch.
Time issued_begin();

/// Launches of the process so far.
std::uint64_t launches_issued();

/// True if no earlier launch can matter to a later one, or there is just one stream.
bool launches_can_be_forgotten();
/// Cells have lost their meaning.
void forget_launches();

}  // namespace offgrid::emu::check
