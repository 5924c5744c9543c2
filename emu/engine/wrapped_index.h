/// A 32-bit index that overflowed leads a multiple of 2^32 elements away from the buffer it was meant for.
#pragma once

#include <offgrid/emu/finding.h>
#include <offgrid/emu/memory.h>

#include <cstdint>
#include <optional>

namespace offgrid::emu {

struct LaunchState;

struct WrappedIndex {
  Allocation allocation;        ///< the buffer meant: one that the launch got as an argument
  std::uintptr_t intended = 0;  ///< the address without the wrap, inside it
};

/// Looks whether the address lies a multiple of 2^32 bytes off an argument of the launch.
std::optional<WrappedIndex> find_wrapped_index(const LaunchState& launch, std::uintptr_t address);

/// Fills in kind, headline, notes and help of an access there. `verb` is "read" or "write".
void explain_wrapped_index(Finding& finding, const LaunchState& launch, const WrappedIndex& wrapped,
                           std::uintptr_t address, const char* verb);

}  // namespace offgrid::emu
