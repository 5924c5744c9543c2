/// coalesced_group: any lanes of a warp, ranked in their order; and the partitions that make such groups.
#pragma once

#include <offgrid/emu/device/cooperative_groups/block_group.h>

namespace cooperative_groups {

class coalesced_group : public thread_group {
 public:
  /// A part of a group that was split into `parts`.
  explicit coalesced_group(offgrid::emu::LaneMask mask, unsigned part = 0, unsigned parts = 1)
      : thread_group(mask), part_(part), parts_(parts) {}

  unsigned size() const { return offgrid::emu::groups::count(mask_); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return offgrid::emu::groups::rank_in(mask_); }
  unsigned meta_group_size() const { return parts_; }
  unsigned meta_group_rank() const { return part_; }
  offgrid::emu::LaneMask lanes() const { return mask_; }

  template <class T>
  T shfl(T value, unsigned source_rank, OFFGRID_WHERE) const {
    using namespace offgrid::emu;
    return groups::shuffle(mask_, value, groups::lane_of_rank(mask_, source_rank % size()), file, line);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, OFFGRID_WHERE) const {
    using namespace offgrid::emu;
    const unsigned rank = thread_rank(), source = rank < delta ? rank : rank - delta;
    return groups::shuffle(mask_, value, groups::lane_of_rank(mask_, source), file, line);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, OFFGRID_WHERE) const {
    using namespace offgrid::emu;
    const unsigned rank = thread_rank(), source = delta >= size() - rank ? rank : rank + delta;
    return groups::shuffle(mask_, value, groups::lane_of_rank(mask_, source), file, line);
  }

  int any(int predicate, OFFGRID_WHERE) const { return __any_sync(mask_, predicate, file, line); }
  int all(int predicate, OFFGRID_WHERE) const { return __all_sync(mask_, predicate, file, line); }
  offgrid::emu::WarpMask ballot(int predicate, OFFGRID_WHERE) const {
    using namespace offgrid::emu;
    return static_cast<WarpMask>(groups::packed(offgrid_vote(mask_, predicate != 0, file, line), mask_));
  }
  template <class T>
  offgrid::emu::WarpMask match_any(T value, OFFGRID_WHERE) const {
    using namespace offgrid::emu;
    return static_cast<WarpMask>(groups::packed(__match_any_sync(mask_, value, file, line), mask_));
  }
  template <class T>
  offgrid::emu::WarpMask match_all(T value, int& predicate, OFFGRID_WHERE) const {
    using namespace offgrid::emu;
    return static_cast<WarpMask>(groups::packed(__match_all_sync(mask_, value, &predicate, file, line), mask_));
  }

 private:
  unsigned part_, parts_;
};

/// The lanes of this warp that come to the call together.
OFFGRID_COLLECTIVE coalesced_group coalesced_threads(OFFGRID_WHERE) {
  offgrid::emu::note_site(file, line);
  offgrid::emu::LaneMask lanes = 0;
  offgrid::emu::vote_converged(true, &lanes);
  return coalesced_group(lanes);
}

/// One group for each label, of a tile or a coalesced group.
template <class Group, class Label>
inline coalesced_group labeled_partition(const Group& group, Label label, OFFGRID_WHERE) {
  using namespace offgrid::emu;
  groups::LaneValues<Label> values;
  note_site(file, line);
  const LaneMask lanes = groups::gather(group.lanes(), label, WarpOp::kMatch, values.data());
  const Label* labels = values.data();
  LaneMask same = 0;
  unsigned part = 0, parts = 0;
  for (unsigned rank = 0; rank < groups::count(lanes); ++rank) {
    const bool mine = labels[rank] == label;
    if (mine) same |= LaneMask{1} << groups::lane_of_rank(lanes, rank);
    unsigned first = 0;
    while (!(labels[first] == labels[rank])) ++first;
    if (first != rank) continue;
    if (mine) part = parts;
    ++parts;
  }
  return coalesced_group(same, part, parts);
}

/// The lanes whose predicate is true, and the others.
template <class Group>
inline coalesced_group binary_partition(const Group& group, bool predicate, OFFGRID_WHERE) {
  using namespace offgrid::emu;
  bool predicates[kMaxWarpLanes];
  note_site(file, line);
  const LaneMask lanes = groups::gather(group.lanes(), predicate, WarpOp::kVote, predicates);
  LaneMask same = 0;
  for (unsigned rank = 0; rank < groups::count(lanes); ++rank) {
    if (predicates[rank] == predicate) same |= LaneMask{1} << groups::lane_of_rank(lanes, rank);
  }
  return coalesced_group(same, predicate ? 1 : 0, 2);
}

/// Parts of `size` lanes in order of rank.
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  using namespace offgrid::emu;
  const unsigned part = parent.thread_rank() / size;
  LaneMask lanes = 0;
  for (unsigned rank = part * size; rank < (part + 1) * size && rank < parent.size(); ++rank) {
    lanes |= LaneMask{1} << groups::lane_of_rank(parent.lanes(), rank);
  }
  return coalesced_group(lanes, part, (parent.size() + size - 1) / size);
}

}  // namespace cooperative_groups
