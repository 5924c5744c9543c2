/// Which thread runs next, as a value that can be chosen, written down and replayed.
///
/// A policy sees numbers of threads, never the engine. The engine asks it at points of three kinds; in between, a
/// thread runs alone. Policies are deterministic: the same policy with the same seed, asked about the same program,
/// gives the same run, bit for bit.
#pragma once

#include <offgrid/emu/source_line.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace offgrid::emu {

/// A thread of a launch: linear block index * 1024 + linear thread index in the block.
using ThreadId = std::uint64_t;
inline constexpr ThreadId kThreadsPerBlockId = 1024;
inline constexpr ThreadId kNoThread = ~ThreadId{0};

enum class PointKind : std::uint8_t {
  kSync,    ///< a thread waits, has exited, or has completed a barrier, shuffle or vote
  kAccess,  ///< a thread is about to access memory that others see, to do an atomic operation or a fence
  kYield,   ///< a thread spins: others must have a turn
};

/// What the running thread is about to do at a point of kind kAccess.
struct PointAccess {
  std::uintptr_t address = 0;  ///< 0: unknown
  unsigned bytes = 0;
  bool writes = false;
  bool is_atomic = false;
};

/// A moment at which another thread may be chosen.
struct SchedulePoint {
  PointKind kind = PointKind::kSync;
  std::span<const ThreadId> runnable;  ///< ascending, never empty; has `running` if that can run on
  ThreadId running = kNoThread;        ///< who comes to the point; kNoThread at the start of a launch
  PointAccess access{};
  SourceLine where{};     ///< the collective that the running thread has come to, if known
  std::uintptr_t pc = 0;  ///< code address of the access; 0: unknown
};

inline constexpr std::uint64_t kNoAccess = ~std::uint64_t{0};

class SchedulePolicy {
 public:
  virtual ~SchedulePolicy() = default;

  /// An index into point.runnable. At kYield a choice of the running thread counts as the one behind it, if there is
  /// one.
  virtual std::size_t pick(const SchedulePoint& point) = 0;

  /// How many accesses come, of all threads together, until the next point of kind kAccess: 1 is each, kNoAccess never.
  /// Asked once at the beginning and after each such point.
  virtual std::uint64_t accesses_until_asked() { return kNoAccess; }

  /// True if reads_stale() wants to be asked at all.
  virtual bool may_read_stale() const { return false; }
  /// True if this read of memory that another block has written without a fence shall see what was there before.
  virtual bool reads_stale() { return false; }
};

/// A policy in words. The name is a row of the table in emu/schedule/policy_table.cpp; steps is how many accesses a run
/// is expected to make, from which PCT draws its change points (0: unknown).
struct PolicySpec {
  std::string name = "in-order";
  std::uint64_t seed = 0;
  std::uint64_t steps = 0;

  bool operator==(const PolicySpec&) const = default;
};

/// Names of all policies, in the order of the table.
std::vector<std::string_view> policy_names();

/// errors  std::invalid_argument for an unknown name; the text lists the known ones
std::unique_ptr<SchedulePolicy> make_policy(const PolicySpec& spec);

/// "random-0.1", "random-0.1:7", "pct-2:7:3000": name, seed, steps.
/// errors  std::invalid_argument that says what is wrong
PolicySpec parse_policy(std::string_view text);
std::string to_text(const PolicySpec& spec);

/// The nth policy of a search, the same for everyone who searches with this seed: the in-order and the reverse run,
/// then the random ones in turn, because none of them finds all kinds of bugs.
PolicySpec portfolio(std::uint64_t search_seed, std::uint64_t n, std::uint64_t steps = 0);

/// One choice that is not the default: `to` runs from there on.
struct Switch {
  bool at_access = false;
  std::uint64_t number = 0;  ///< of the access, from 1; or of the point among those of the other kinds, from 0
  ThreadId to = 0;
  bool operator==(const Switch&) const = default;
};

/// A run given by its switches, in their order. At all other points the running thread runs on if it can, else the
/// first that can. `stale` numbers the reads, among those that the engine asked about, that see old memory.
struct SwitchList {
  std::vector<Switch> switches;
  std::vector<std::uint64_t> stale;
  bool operator==(const SwitchList&) const = default;
};

/// "s12>33,a405>2,r7": at point 12, at access 405, stale read 7. An empty list is "-".
std::string to_text(const SwitchList& list);
/// errors  std::invalid_argument that says what is wrong
SwitchList parse_switches(std::string_view text);

/// Replays a list. A thread that cannot run at its point is passed over.
class SwitchPolicy final : public SchedulePolicy {
 public:
  explicit SwitchPolicy(SwitchList list) : list_(std::move(list)) {}
  std::size_t pick(const SchedulePoint& point) override;
  std::uint64_t accesses_until_asked() override;
  bool may_read_stale() const override { return !list_.stale.empty(); }
  bool reads_stale() override;

 private:
  std::size_t pick_default(const SchedulePoint& point) const;

  SwitchList list_;
  std::uint64_t sync_ = 0, access_ = 0, read_ = 0, gap_ = 0;
  std::size_t next_sync_ = 0, next_access_ = 0, next_stale_ = 0;
};

/// A point with what was chosen, as a recorder keeps it.
struct RecordedPoint {
  PointKind kind = PointKind::kSync;
  ThreadId running = kNoThread, chosen = kNoThread;
  bool could_run_on = false;   ///< the running thread
  bool is_default = false;     ///< a SwitchPolicy without a switch here would choose the same
  std::uint32_t runnable = 0;  ///< how many
  std::uint64_t accesses = 0;  ///< before the point, this one included
  PointAccess access{};
  SourceLine where{};
  std::uintptr_t pc = 0;
};

/// Passes questions on to another policy, counts, and notes what was answered.
class RecordingPolicy final : public SchedulePolicy {
 public:
  /// At most `max_points` are kept; all are counted.
  RecordingPolicy(SchedulePolicy& inner, std::size_t max_points = std::size_t{1} << 20)
      : inner_(inner), max_points_(max_points) {}

  std::size_t pick(const SchedulePoint& point) override;
  std::uint64_t accesses_until_asked() override;
  bool may_read_stale() const override { return inner_.may_read_stale(); }
  bool reads_stale() override;

  const std::vector<RecordedPoint>& points() const { return points_; }
  /// What was chosen, as a list that repeats it, if no point was left out.
  SwitchList as_switches() const;
  bool is_complete() const { return counted_ == points_.size(); }
  /// A number that two runs share if they took the same course.
  std::uint64_t fingerprint() const { return fingerprint_; }
  std::uint64_t counted() const { return counted_; }

 private:
  SchedulePolicy& inner_;
  std::size_t max_points_;
  std::vector<RecordedPoint> points_;
  std::vector<std::uint64_t> stale_;
  std::uint64_t counted_ = 0, reads_ = 0, accesses_ = 0, gap_ = kNoAccess, fingerprint_ = 0;
};

/// Accesses, atomics and fences since the engine was told its policy; 0 without one.
std::uint64_t accesses_explored();

}  // namespace offgrid::emu
