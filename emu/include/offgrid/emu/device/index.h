/// dim3, uint3, and what a lane may ask about its place: threadIdx, blockIdx, blockDim, gridDim, warpSize.
#pragma once

#include <offgrid/emu/engine/lane.h>

struct uint3 {
  unsigned int x, y, z;
};

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

// Named functions, so that a compiler pass can find them; const, because a lane's place never changes while it runs.
extern "C" {
[[gnu::const, gnu::always_inline]] inline unsigned offgrid_thread_x() noexcept { return offgrid_tls.lane->thread[0]; }
[[gnu::const, gnu::always_inline]] inline unsigned offgrid_thread_y() noexcept { return offgrid_tls.lane->thread[1]; }
[[gnu::const, gnu::always_inline]] inline unsigned offgrid_thread_z() noexcept { return offgrid_tls.lane->thread[2]; }
[[gnu::const, gnu::always_inline]] inline unsigned offgrid_block_x() noexcept { return offgrid_tls.block->index[0]; }
[[gnu::const, gnu::always_inline]] inline unsigned offgrid_block_y() noexcept { return offgrid_tls.block->index[1]; }
[[gnu::const, gnu::always_inline]] inline unsigned offgrid_block_z() noexcept { return offgrid_tls.block->index[2]; }
[[gnu::const, gnu::always_inline]] inline unsigned offgrid_block_dim_x() noexcept { return offgrid_tls.block->dim[0]; }
[[gnu::const, gnu::always_inline]] inline unsigned offgrid_block_dim_y() noexcept { return offgrid_tls.block->dim[1]; }
[[gnu::const, gnu::always_inline]] inline unsigned offgrid_block_dim_z() noexcept { return offgrid_tls.block->dim[2]; }
[[gnu::const, gnu::always_inline]] inline unsigned offgrid_grid_dim_x() noexcept { return offgrid_tls.block->grid[0]; }
[[gnu::const, gnu::always_inline]] inline unsigned offgrid_grid_dim_y() noexcept { return offgrid_tls.block->grid[1]; }
[[gnu::const, gnu::always_inline]] inline unsigned offgrid_grid_dim_z() noexcept { return offgrid_tls.block->grid[2]; }
[[gnu::const, gnu::always_inline]] inline int offgrid_warp_size() noexcept { return offgrid_tls.block->warp_size; }
}

namespace offgrid::emu {

/// One component of a built-in index variable: reads like an unsigned int, cannot be assigned or have its address
/// taken.
template <unsigned (*Get)() noexcept>
struct IndexComponent {
  constexpr IndexComponent() = default;
  IndexComponent(const IndexComponent&) = delete;
  IndexComponent& operator=(const IndexComponent&) = delete;
  [[gnu::always_inline]] operator unsigned() const noexcept { return Get(); }
};

template <unsigned (*GetX)() noexcept, unsigned (*GetY)() noexcept, unsigned (*GetZ)() noexcept>
struct IndexVariable {
  IndexComponent<GetX> x;
  IndexComponent<GetY> y;
  IndexComponent<GetZ> z;
  operator uint3() const noexcept { return uint3{GetX(), GetY(), GetZ()}; }
  operator dim3() const noexcept { return dim3{GetX(), GetY(), GetZ()}; }
};

/// The built-in variables as whole values; the rewriter puts these calls where a kernel names one without a component.
inline uint3 thread_index() noexcept { return uint3{offgrid_thread_x(), offgrid_thread_y(), offgrid_thread_z()}; }
inline uint3 block_index() noexcept { return uint3{offgrid_block_x(), offgrid_block_y(), offgrid_block_z()}; }
inline dim3 block_dim() noexcept { return dim3{offgrid_block_dim_x(), offgrid_block_dim_y(), offgrid_block_dim_z()}; }
inline dim3 grid_dim() noexcept { return dim3{offgrid_grid_dim_x(), offgrid_grid_dim_y(), offgrid_grid_dim_z()}; }

struct WarpSizeVariable {
  [[gnu::always_inline]] operator int() const noexcept { return offgrid_warp_size(); }
};

}  // namespace offgrid::emu

inline constexpr offgrid::emu::IndexVariable<offgrid_thread_x, offgrid_thread_y, offgrid_thread_z> threadIdx{};
inline constexpr offgrid::emu::IndexVariable<offgrid_block_x, offgrid_block_y, offgrid_block_z> blockIdx{};
inline constexpr offgrid::emu::IndexVariable<offgrid_block_dim_x, offgrid_block_dim_y, offgrid_block_dim_z> blockDim{};
inline constexpr offgrid::emu::IndexVariable<offgrid_grid_dim_x, offgrid_grid_dim_y, offgrid_grid_dim_z> gridDim{};
inline constexpr offgrid::emu::WarpSizeVariable warpSize{};
