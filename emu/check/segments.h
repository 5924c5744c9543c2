/// Segments: stretches of a block's run in which nothing orders its lanes, one for each place of an access. A cell
/// (metadata.h) names a segment and a thread, and so tells who, where and when in four bytes.
///
/// Two counts of time: segments that touch global memory are numbered through all launches, those of shared memory
/// through one block, or one cluster. Within a count a lower number began earlier.
#pragma once

#include <offgrid/emu/engine/collectives.h>

#include <cstdint>
#include <vector>

#include "check/metadata.h"

namespace offgrid::emu::check {

/// A moment: numbers of segments begun so far, as cells. Whatever a lane did before has a lower cell.
using Time = Cell;

inline constexpr unsigned kThreadBits = 10;
inline constexpr Cell kThreadMask = (Cell{1} << kThreadBits) - 1;
inline constexpr Cell kFirstCell = Cell{2} << kThreadBits;  ///< 0: never accessed

enum class AccessKind : std::uint8_t { kRead, kWrite, kAtomicBlock, kAtomicCluster, kAtomicDevice };

/// Of an atomic operation, by how far it is one.
inline AccessKind atomic_kind(AtomicScope scope) {
  return scope == AtomicScope::kBlock     ? AccessKind::kAtomicBlock
         : scope == AtomicScope::kCluster ? AccessKind::kAtomicCluster
                                          : AccessKind::kAtomicDevice;
}

inline bool is_atomic(AccessKind kind) { return kind >= AccessKind::kAtomicBlock; }

struct Segment {
  std::uintptr_t pc = 0;
  std::uint32_t block = 0;     ///< BlockChecks::serial
  std::uint32_t phase = 0;     ///< block barriers the block had passed
  std::uint32_t interval = 0;  ///< warp barriers that the warps it stands for had passed
  AccessKind kind = AccessKind::kRead;
};

/// The segments of one count.
class Segments {
 public:
  /// The cell of thread 0 of a new segment; 0 if the numbers are used up.
  Cell add(const Segment& segment) {
    if (segments_.size() >= kMost) return 0;
    segments_.push_back(segment);
    return static_cast<Cell>(kFirstCell + ((segments_.size() - 1) << kThreadBits));
  }
  const Segment& of(Cell cell) const { return segments_[(cell - kFirstCell) >> kThreadBits]; }
  Time now() const { return static_cast<Time>(kFirstCell + (segments_.size() << kThreadBits)); }
  void clear() { segments_.clear(); }
  std::size_t size() const { return segments_.size(); }

  static constexpr std::size_t kMost =
      (std::size_t{1} << (32 - kThreadBits)) - 8;  ///< then history is given up (observer.cpp)

 private:
  std::vector<Segment> segments_;
};

inline unsigned thread_of(Cell cell) { return cell & kThreadMask; }
inline Cell segment_of(Cell cell) { return cell & ~kThreadMask; }

}  // namespace offgrid::emu::check
