// What a lane knows of its place: %tid.x, %laneid, %clock64, ... The multiprocessor of a block is a guess that only
// keeps the rules: below %nsmid, the same for all threads of the block.
#include <offgrid/emu/device/control.h>
#include <offgrid/emu/device/index.h>
#include <offgrid/emu/engine.h>
#include <offgrid/emu/engine/cluster.h>

#include <string_view>

#include "ptx/cluster.h"
#include "ptx/machine.h"

namespace offgrid::emu::ptx {
namespace {

LaneMask lower_lanes() { return (LaneMask{1} << offgrid_tls.lane->index) - 1; }
std::uint64_t low_word(LaneMask mask) { return mask & 0xffffffff; }
std::uint64_t multiprocessors() { return active_profile().multiprocessors; }

std::uint64_t block_number() {
  return offgrid_block_x() + std::uint64_t{offgrid_grid_dim_x()} *
                                 (offgrid_block_y() + std::uint64_t{offgrid_grid_dim_y()} * offgrid_block_z());
}

struct Row {
  std::string_view name;
  std::uint64_t (*value)();
};
constexpr Row kRows[] = {
    {"%tid.x", [] { return std::uint64_t{offgrid_thread_x()}; }},
    {"%tid.y", [] { return std::uint64_t{offgrid_thread_y()}; }},
    {"%tid.z", [] { return std::uint64_t{offgrid_thread_z()}; }},
    {"%ntid.x", [] { return std::uint64_t{offgrid_block_dim_x()}; }},
    {"%ntid.y", [] { return std::uint64_t{offgrid_block_dim_y()}; }},
    {"%ntid.z", [] { return std::uint64_t{offgrid_block_dim_z()}; }},
    {"%ctaid.x", [] { return std::uint64_t{offgrid_block_x()}; }},
    {"%ctaid.y", [] { return std::uint64_t{offgrid_block_y()}; }},
    {"%ctaid.z", [] { return std::uint64_t{offgrid_block_z()}; }},
    {"%nctaid.x", [] { return std::uint64_t{offgrid_grid_dim_x()}; }},
    {"%nctaid.y", [] { return std::uint64_t{offgrid_grid_dim_y()}; }},
    {"%nctaid.z", [] { return std::uint64_t{offgrid_grid_dim_z()}; }},
    {"%cluster_ctarank", [] { return std::uint64_t{cluster_rank()}; }},
    {"%cluster_nctarank", [] { return std::uint64_t{cluster_blocks()}; }},
    {"%cluster_ctaid.x", [] { return cluster_block_index(0); }},
    {"%cluster_ctaid.y", [] { return cluster_block_index(1); }},
    {"%cluster_ctaid.z", [] { return cluster_block_index(2); }},
    {"%cluster_nctaid.x", [] { return cluster_block_count(0); }},
    {"%cluster_nctaid.y", [] { return cluster_block_count(1); }},
    {"%cluster_nctaid.z", [] { return cluster_block_count(2); }},
    {"%clusterid.x", [] { return cluster_index(0); }},
    {"%clusterid.y", [] { return cluster_index(1); }},
    {"%clusterid.z", [] { return cluster_index(2); }},
    {"%nclusterid.x", [] { return cluster_count(0); }},
    {"%nclusterid.y", [] { return cluster_count(1); }},
    {"%nclusterid.z", [] { return cluster_count(2); }},
    {"%is_explicit_cluster", [] { return std::uint64_t{cluster_is_explicit()}; }},
    {"%laneid", [] { return std::uint64_t{offgrid_tls.lane->index}; }},
    {"%warpid", [] { return std::uint64_t{offgrid_tls.lane->warp->index}; }},
    {"%nwarpid", [] { return std::uint64_t{offgrid_tls.block->warp_count}; }},
    {"%smid", [] { return block_number() % multiprocessors(); }},
    {"%nsmid", [] { return multiprocessors(); }},
    {"%lanemask_eq", [] { return low_word(LaneMask{1} << offgrid_tls.lane->index); }},
    {"%lanemask_lt", [] { return low_word(lower_lanes()); }},
    {"%lanemask_le", [] { return low_word(lower_lanes() << 1 | 1); }},
    {"%lanemask_gt", [] { return low_word(~(lower_lanes() << 1 | 1)); }},
    {"%lanemask_ge", [] { return low_word(~lower_lanes()); }},
    {"%clock", [] { return low_word(static_cast<std::uint64_t>(clock64())); }},
    {"%clock_hi", [] { return static_cast<std::uint64_t>(clock64()) >> 32; }},
    {"%clock64", [] { return static_cast<std::uint64_t>(clock64()); }},
    {"%globaltimer", [] { return std::uint64_t{__globaltimer()}; }},
    {"%globaltimer_lo", [] { return low_word(__globaltimer()); }},
    {"%globaltimer_hi", [] { return std::uint64_t{__globaltimer()} >> 32; }},
    {"WARP_SZ", [] { return static_cast<std::uint64_t>(offgrid_warp_size()); }},
};

}  // namespace

int find_special_register(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    if (kRows[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

std::uint64_t special_register(unsigned which) { return kRows[which].value(); }

}  // namespace offgrid::emu::ptx
