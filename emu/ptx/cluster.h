/// What clusters add to other instructions and to the special registers. Axes are 0, 1, 2 for x, y, z.
#pragma once

#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {

/// Of `barrier.cluster.arrive` and `.wait`, once `cluster` has been taken.
Handler choose_cluster_barrier(Instruction& instruction, Modifiers& modifiers);

std::uint64_t cluster_block_index(int axis);  ///< %cluster_ctaid
std::uint64_t cluster_block_count(int axis);  ///< %cluster_nctaid
std::uint64_t cluster_index(int axis);        ///< %clusterid
std::uint64_t cluster_count(int axis);        ///< %nclusterid

}  // namespace offgrid::emu::ptx
