/// dim3, uint3, and what a lane may ask about its place: threadIdx, blockIdx, blockDim, gridDim, warpSize.
#pragma once

#include <offgrid/emu/engine/checked.h>
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
#if OFFGRID_CHECKED
#define OFFGRID_INDEX(type, name, where)                                     \
  [[gnu::const, gnu::always_inline]] inline type offgrid_##name() noexcept { \
    return static_cast<type>(offgrid_checked_##name());                      \
  }
#else
#define OFFGRID_INDEX(type, name, where) \
  [[gnu::const, gnu::always_inline]] inline type offgrid_##name() noexcept { return offgrid_tls.where; }
#endif
extern "C" {
OFFGRID_INDEX(unsigned, thread_x, lane->thread[0])
OFFGRID_INDEX(unsigned, thread_y, lane->thread[1])
OFFGRID_INDEX(unsigned, thread_z, lane->thread[2])
OFFGRID_INDEX(unsigned, block_x, block->index[0])
OFFGRID_INDEX(unsigned, block_y, block->index[1])
OFFGRID_INDEX(unsigned, block_z, block->index[2])
OFFGRID_INDEX(unsigned, block_dim_x, block->dim[0])
OFFGRID_INDEX(unsigned, block_dim_y, block->dim[1])
OFFGRID_INDEX(unsigned, block_dim_z, block->dim[2])
OFFGRID_INDEX(unsigned, grid_dim_x, block->grid[0])
OFFGRID_INDEX(unsigned, grid_dim_y, block->grid[1])
OFFGRID_INDEX(unsigned, grid_dim_z, block->grid[2])
OFFGRID_INDEX(int, warp_size, block->warp_size)
OFFGRID_INDEX(unsigned, lane_index, lane->index)
}
#undef OFFGRID_INDEX

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
