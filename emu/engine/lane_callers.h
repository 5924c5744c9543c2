/// The calls that led to a place in a lane.
#pragma once

#include <cstddef>
#include <cstdint>

namespace offgrid::emu {

struct Lane;

/// Where a lane was: code address, frame pointer, stack pointer.
struct CodePoint {
  std::uintptr_t pc = 0, frame = 0, stack = 0;
};

/// Writes return addresses less 1, innermost first, and returns how many. Found along the frame pointers that
/// `offgrid cc` keeps. A function of another module (memcpy, logf), or one of the library's, keeps none: there the
/// words on the stack count that point behind a call in the kernel's module. Allocates nothing.
std::size_t find_callers(const CodePoint& at, const Lane& lane, std::uintptr_t* callers, std::size_t max);

/// True if the code address lies in another module than the lane's kernel, such as the C library.
bool is_foreign_code(std::uintptr_t pc, const Lane& lane);

}  // namespace offgrid::emu
