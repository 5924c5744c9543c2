/// What a kernel takes of a device, as its compiler says.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace offgrid::emu::cli {

/// One kernel of one source, compiled for one target.
struct KernelFigures {
  std::string target;         ///< "gfx1030", "sm_90a"
  std::string source;         ///< "instances/merge.cu"
  std::string kernel;         ///< "merge_pair_kernel<float, float>": readable, without namespaces and parameters
  std::vector<long> figures;  ///< in the order of figure_names(target)
};

/// gfx*: vgprs sgprs scratch lds occupancy vgpr_spills sgpr_spills.  sm_*: registers shared stack spill_stores
/// spill_loads.  Memory in bytes (scratch and stack a lane, lds and shared a block), occupancy in waves a SIMD.
std::span<const std::string_view> figure_names(std::string_view target);

/// A mangled name in the form of KernelFigures::kernel; itself if it is not mangled.
std::string readable_kernel_name(const std::string& mangled);

}  // namespace offgrid::emu::cli
