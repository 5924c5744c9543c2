/// Where a generic address points: the block's shared memory, a lane's own stack, or global memory; and the 32-bit
/// shared addresses that PTX and `__cvta_generic_to_shared` speak of.
///
/// A shared address is the distance from the start of the block's static shared memory. It fits 32 bits and is the same
/// in every block of a launch. Of another block of the cluster, its rank plus 1 stands above the lower 24 bits.
#pragma once

#include <offgrid/emu/engine/checked.h>
#include <offgrid/emu/engine/lane.h>

#include <cstddef>
#include <cstdint>

namespace offgrid::emu {

/// Static part, guard page and dynamic part of a block's shared memory.
inline constexpr std::size_t kSharedWindowBytes = (512 + 4 + 256) * 1024;

/// True if a lane runs and the address lies in its block's shared memory.
[[gnu::always_inline]] inline bool is_shared_address(const void* address) noexcept {
#if OFFGRID_CHECKED
  return checked_is_shared(address);
#else
  if (!offgrid_tls.lane) return false;
  return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(offgrid_tls.block->shared) <
         kSharedWindowBytes;
#endif
}

/// The first byte of the running block's shared memory.
[[gnu::always_inline]] inline unsigned char* shared_begin() noexcept {
#if OFFGRID_CHECKED
  return static_cast<unsigned char*>(checked_shared_begin());
#else
  return offgrid_tls.block->shared;
#endif
}

/// The same for shared memory of any block of the running one's cluster, when it is not its own; all ones and null if
/// there is none at that place.
std::uint32_t peer_address(const void* pointer) noexcept;
void* peer_pointer(std::size_t address) noexcept;

/// The shared address of a pointer into the shared memory of the block, or of its cluster. Of any other pointer: a
/// value outside all windows.
[[gnu::always_inline]] inline std::uint32_t shared_address(const void* pointer) noexcept {
  return is_shared_address(pointer)
             ? static_cast<std::uint32_t>(static_cast<const unsigned char*>(pointer) - shared_begin())
             : peer_address(pointer);
}

/// The pointer behind a shared address. One outside the window gives a pointer whose use faults.
[[gnu::always_inline]] inline void* shared_pointer(std::size_t address) noexcept {
  return address < kSharedWindowBytes ? shared_begin() + address : peer_pointer(address);
}

/// True if the address lies on the stack of a lane of the running block: CUDA's local memory.
bool is_local_address(const void* address) noexcept;

/// Constant and global variables of the program lie side by side. True for constant memory; ends the launch with a
/// finding for an address in the program's static storage, where the two cannot be told apart.
bool is_constant_address(const void* address) noexcept;

}  // namespace offgrid::emu

inline unsigned __isShared(const void* pointer) { return offgrid::emu::is_shared_address(pointer); }
inline unsigned __isLocal(const void* pointer) { return offgrid::emu::is_local_address(pointer); }
inline unsigned __isConstant(const void* pointer) { return offgrid::emu::is_constant_address(pointer); }
inline unsigned __isGlobal(const void* pointer) {
  return !offgrid::emu::is_shared_address(pointer) && !offgrid::emu::is_local_address(pointer);
}

inline std::size_t __cvta_generic_to_shared(const void* pointer) { return offgrid::emu::shared_address(pointer); }
inline void* __cvta_shared_to_generic(std::size_t address) { return offgrid::emu::shared_pointer(address); }

// Global, local and constant addresses are generic ones.
inline std::size_t __cvta_generic_to_global(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }
inline std::size_t __cvta_generic_to_local(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }
inline std::size_t __cvta_generic_to_constant(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }
inline void* __cvta_global_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }
inline void* __cvta_local_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }
inline void* __cvta_constant_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }
