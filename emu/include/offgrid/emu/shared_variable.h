/// `__shared__` variables. The rewriter turns each declaration into a typedef, a static SharedVariable and a reference.
#pragma once

#include <offgrid/emu/element_type.h>
#include <offgrid/emu/engine/checked.h>
#include <offgrid/emu/engine/lane.h>

#include <cstddef>
#include <cstdint>

namespace offgrid::emu {

/// A static shared variable of one kernel instance: its place in the block's arena is given at the first touch in a
/// launch.
struct SharedVariable {
  const char* name;
  SourceLine where;
  std::size_t bytes;
  std::size_t alignment;
  const ElementType* type;
  std::uint64_t placed = 0;  ///< launch tag << 32 | offset in the arena

  /// The running block's copy.
  [[gnu::always_inline]] void* address() {
#if OFFGRID_CHECKED
    return checked_shared_address(this);
#else
    const std::uint64_t at = __atomic_load_n(&placed, __ATOMIC_RELAXED);
    if (__builtin_expect(at >> 32 != offgrid_tls.block->launch_tag, 0)) return place();
    return offgrid_tls.block->shared + static_cast<std::uint32_t>(at);
#endif
  }

  void* place();  // out of line: registers the variable with the launch
};

/// The dynamic part: every `extern __shared__` array of a launch starts at the same address.
[[gnu::always_inline]] inline void* dynamic_shared() {
#if OFFGRID_CHECKED
  return checked_dynamic_shared();
#else
  return offgrid_tls.block->dynamic_shared;
#endif
}

/// An `extern __shared__ T name[]` at namespace scope: converts to the running block's array wherever it is used.
template <class T>
struct DynamicSharedArray {
  operator T*() const { return static_cast<T*>(dynamic_shared()); }
  T* operator+() const { return static_cast<T*>(dynamic_shared()); }
  T* operator&() const { return static_cast<T*>(dynamic_shared()); }
};

/// A `__shared__ T name` at namespace scope, likewise.
template <class T>
struct StaticShared {
  mutable SharedVariable variable;
  operator T&() const { return *static_cast<T*>(variable.address()); }
  T& operator+() const { return *static_cast<T*>(variable.address()); }
};

}  // namespace offgrid::emu
