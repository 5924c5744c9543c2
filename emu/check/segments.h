/// Segments: stretches of a warp's run in which nothing orders it with others, one for each place of an access. A cell
/// (metadata.h) names a segment and a lane, and so tells who, where and when in four bytes.
///
/// Two counts of time: segments that touch global memory are numbered through all launches, those of shared memory
/// through one block. Within a count a lower number began earlier.
#pragma once

#include <cstdint>
#include <vector>

#include "check/metadata.h"

namespace offgrid::emu::check {

/// A moment: numbers of segments begun so far, as cells. Whatever a lane did before has a lower cell.
using Time = Cell;

inline constexpr unsigned kLaneBits = 6;
inline constexpr Cell kLaneMask = (Cell{1} << kLaneBits) - 1;
inline constexpr Cell kFirstCell = Cell{2} << kLaneBits;  ///< 0: never accessed

enum class AccessKind : std::uint8_t { kRead, kWrite, kAtomicBlock, kAtomicDevice };

inline bool is_atomic(AccessKind kind) { return kind >= AccessKind::kAtomicBlock; }

struct Segment {
  std::uintptr_t pc = 0;
  std::uint32_t block = 0;     ///< BlockChecks::serial
  std::uint32_t phase = 0;     ///< block barriers the block had passed
  std::uint32_t interval = 0;  ///< warp barriers the warp had passed in this block
  std::uint8_t warp = 0;
  AccessKind kind = AccessKind::kRead;
};

/// The segments of one count.
class Segments {
 public:
  /// The cell of lane 0 of a new segment; 0 if the numbers are used up.
  Cell add(const Segment& segment) {
    if (segments_.size() >= kMost) return 0;
    segments_.push_back(segment);
    return static_cast<Cell>(kFirstCell + ((segments_.size() - 1) << kLaneBits));
  }
  const Segment& of(Cell cell) const { return segments_[(cell - kFirstCell) >> kLaneBits]; }
  Time now() const { return static_cast<Time>(kFirstCell + (segments_.size() << kLaneBits)); }
  void clear() { segments_.clear(); }
  std::size_t size() const { return segments_.size(); }

  static constexpr std::size_t kMost = std::size_t{1} << 25;  ///< then history is given up (observer.cpp)

 private:
  std::vector<Segment> segments_;
};

inline unsigned lane_of(Cell cell) { return cell & kLaneMask; }

}  // namespace offgrid::emu::check
