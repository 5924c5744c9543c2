/// The one address range that holds everything a kernel may touch: device memory, the blocks' shared memory and the
/// lanes' stacks. Whether an address belongs to it is one subtraction, and what the checks keep about it (emu/check)
/// lies at fixed distances from it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace offgrid::emu {

struct Window {
  std::uintptr_t begin = 0;     ///< device memory from here
  std::uintptr_t heap_end = 0;  ///< shared memory and stacks from here
  std::uintptr_t end = 0;

  bool contains(std::uintptr_t address) const { return address - begin < end - begin; }
  bool in_heap(std::uintptr_t address) const { return address - begin < heap_end - begin; }
};

/// Reserved, inaccessible, at the first use. Smaller in a checked program, whose metadata take many times as much
/// address space. begin == end if the system refuses.
const Window& window();

/// True if the program holds a kernel that was compiled for checked mode.
bool is_checked_program();
/// Makes the checks listen, if it does.
void start_checks();

/// Inaccessible pages for shared memory and stacks; null if none are left. The caller maps over them.
void* take_from_window(std::size_t bytes);
/// Gives them back, mapped in whatever way.
void give_to_window(void* begin, std::size_t bytes);

}  // namespace offgrid::emu
