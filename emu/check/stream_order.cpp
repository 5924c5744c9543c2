#include "check/stream_order.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "engine/state.h"

namespace offgrid::emu::check {
namespace {

constexpr std::size_t kMostOpen = 1024;  // operations; older ones count as ordered

struct Stream {
  bool blocking = true;
  bool alive = true;
  std::uint64_t issued = 0;
  StreamClock clock;            ///< its own operations included
  std::vector<StreamId> nodes;  ///< streams that stand for the nodes of its graphs
};

struct State {
  std::mutex mutex;
  std::vector<Stream> streams{1};
  StreamClock host;
  std::deque<std::shared_ptr<Operation>> open;  ///< that the host has not waited for
  // Of the running launch.
  std::shared_ptr<Operation> launch = std::make_shared<Operation>();
  std::vector<OperationPointer> unordered;
  std::uint64_t launches = 0;
};

State& state() {
  static auto* all = new State;  // used until the very end of the process
  return *all;
}

thread_local StreamId current_stream = kLegacyStream;
thread_local int current_shown = 0;

void add_to(StreamClock& clock, const StreamClock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

bool covers(const StreamClock& clock, const Operation& operation) {
  return operation.stream < clock.size() && operation.number <= clock[operation.stream];
}

/// What the next operation of the stream waits for.
StreamClock clock_of(const State& s, StreamId stream) {
  StreamClock clock = s.streams[stream].clock;
  add_to(clock, s.host);
  if (stream != kLegacyStream) {
    if (s.streams[stream].blocking) add_to(clock, s.streams[kLegacyStream].clock);
    return clock;
  }
  for (const Stream& other : s.streams) {
    if (other.blocking) add_to(clock, other.clock);
  }
  return clock;
}

void close_ordered(State& s) {
  std::erase_if(s.open, [&](const auto& operation) { return covers(s.host, *operation); });
  while (s.open.size() > kMostOpen) s.open.pop_front();
}

std::vector<OperationPointer> issue(State& s, const std::shared_ptr<Operation>& operation) {
  close_ordered(s);
  operation->stream = current_stream;
  operation->stream_shown = current_shown;
  Stream& stream = s.streams[current_stream];
  StreamClock clock = clock_of(s, current_stream);
  std::vector<OperationPointer> unordered;
  for (const auto& earlier : s.open) {
    if (!covers(clock, *earlier)) unordered.push_back(earlier);
  }
  if (clock.size() <= current_stream) clock.resize(current_stream + 1);
  operation->number = clock[current_stream] = ++stream.issued;
  stream.clock = std::move(clock);
  s.open.push_back(operation);
  return unordered;
}

}  // namespace

StreamId stream_created(bool blocking) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  for (StreamId i = 1; i < s.streams.size(); ++i) {
    Stream& old = s.streams[i];
    const bool is_over = old.issued == 0 || (i < s.host.size() && s.host[i] >= old.issued);
    if (old.alive || !is_over) continue;
    old.alive = true;
    old.blocking = blocking;
    old.clock.clear();
    return i;
  }
  s.streams.push_back({blocking, true, 0, {}, {}});
  return static_cast<StreamId>(s.streams.size() - 1);
}

void stream_destroyed(StreamId stream) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.streams[stream].alive = false;
  for (const StreamId node : s.streams[stream].nodes) s.streams[node].alive = false;
  s.streams[stream].nodes.clear();
}

StreamClock stream_clock(StreamId stream) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  return clock_of(s, stream);
}

void stream_waits(StreamId stream, const StreamClock& clock) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  add_to(s.streams[stream].clock, clock);
}

void host_waits(const StreamClock& clock) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  add_to(s.host, clock);
}

void host_waits_for_all() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  for (const Stream& stream : s.streams) add_to(s.host, stream.clock);
  s.open.clear();
}

OnStream::OnStream(StreamId stream, int shown)
    : stream_(std::exchange(current_stream, stream)), shown_(std::exchange(current_shown, shown)) {}

OnStream::~OnStream() {
  current_stream = stream_;
  current_shown = shown_;
}

OnGraph::OnGraph() : stream_(current_stream), begin_(stream_clock(current_stream)) {}

void OnGraph::next(const std::vector<std::size_t>& after) {
  const std::size_t number = nodes_.size();
  State& s = state();
  std::unique_lock lock(s.mutex);
  if (number == s.streams[stream_].nodes.size()) {
    lock.unlock();
    const StreamId made = stream_created(false);
    lock.lock();
    s.streams[stream_].nodes.push_back(made);
  }
  const StreamId node = s.streams[stream_].nodes[number];
  StreamClock clock = begin_;
  for (const std::size_t earlier : after) add_to(clock, s.streams[nodes_[earlier]].clock);
  s.streams[node].clock = std::move(clock);
  nodes_.push_back(node);
  current_stream = node;
}

OnGraph::~OnGraph() {
  current_stream = stream_;
  State& s = state();
  const std::lock_guard lock(s.mutex);
  for (const StreamId node : nodes_) add_to(s.streams[stream_].clock, s.streams[node].clock);
}

std::vector<OperationPointer> issue_copy(const CopyCall& call, OperationPointer& issued) {
  auto operation = std::make_shared<Operation>();
  operation->copy = call;
  issued = operation;
  State& s = state();
  const std::lock_guard lock(s.mutex);
  return issue(s, operation);
}

const std::vector<OperationPointer>& issue_launch(const LaunchState& launch) {
  auto operation = std::make_shared<Operation>();
  operation->is_launch = true;
  operation->place = place_of(launch);
  std::copy(launch.dim, launch.dim + 3, operation->dim);
  State& s = state();
  const std::lock_guard lock(s.mutex);
  ++s.launches;
  s.unordered = issue(s, operation);
  s.launch = std::move(operation);
  s.launch->begin = s.launch->end = ~Time{0};
  return s.unordered;
}

Time begin_issued(Time now) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.launch->begin = now;
  Time floor = now;
  for (const auto& operation : s.unordered) {
    if (operation->is_launch) floor = std::min(floor, operation->begin);
  }
  return floor;
}

void end_issued(Time now) {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.launch->end = now;
}

const std::vector<OperationPointer>& unordered_before_launch() { return state().unordered; }
const Operation& issued_launch() { return *state().launch; }
Time issued_begin() { return state().launch->begin; }

const Operation* unordered_launch(Cell cell) {
  const auto& all = state().unordered;  // in the order of their begin
  for (auto operation = all.rbegin(); operation != all.rend(); ++operation) {
    if ((*operation)->is_launch && cell >= (*operation)->begin) {
      return cell < (*operation)->end ? operation->get() : nullptr;
    }
  }
  return nullptr;
}

std::uint64_t launches_issued() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  return s.launches;
}

bool launches_can_be_forgotten() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  if (s.streams.size() == 1) return true;
  return std::none_of(s.open.begin(), s.open.end(),
                      [&](const auto& o) { return o->is_launch && o.get() != s.launch.get(); });
}

void forget_launches() {
  State& s = state();
  const std::lock_guard lock(s.mutex);
  const auto is_earlier_launch = [&](const auto& o) { return o->is_launch && o.get() != s.launch.get(); };
  std::erase_if(s.open, is_earlier_launch);
  std::erase_if(s.unordered, is_earlier_launch);
  if (s.launch->begin != ~Time{0}) s.launch->begin = kFirstCell;
}

}  // namespace offgrid::emu::check
