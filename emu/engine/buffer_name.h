/// What a report calls a piece of device memory: the name that the host gave it, else the kernel's own parameter, with
/// the element meant.
#pragma once

#include <offgrid/emu/finding.h>
#include <offgrid/emu/memory.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/kernel_arguments.h"

namespace offgrid::emu {

struct LaunchState;

/// An address in words. Joined: ELEMENT of NAME, which is SHAPE, MEMORY.
struct BufferName {
  std::string name;     ///< "`win`", "allocation #3"
  std::string element;  ///< "element 40", "elements 40..43", "byte 2 of element -1", "byte 160"
  std::string
      shape;  ///< "float[40]", "bf16[pages 40, head_dim 576]", "float[24] at byte 64 of allocation #1", "160 bytes"
  std::string memory;  ///< "global memory", "host-visible memory"
  std::string item;    ///< the short form, for headlines: "`win[40]`", "byte 160 of allocation #3"
  std::vector<std::string>
      also;  ///< what other parameters call it: "element 2 of `b`, which is float[8] at byte 32 ..."

  /// "element 40 of `scale`, which is float[40], global memory"
  std::string sentence() const;
};

/// Names [address, address + bytes) after `allocation`, inside which or next to which it lies.
///
/// A parameter gives its name if it points to the allocation's begin; else the one that points into it closest before
/// the address. Declared pointers come before words of objects. Elements count from that pointer.
BufferName name_of_buffer(const std::vector<KernelArgument>& arguments, const Allocation& allocation,
                          std::uintptr_t address, std::size_t bytes = 1);
BufferName name_of_buffer(const LaunchState& launch, const Allocation& allocation, std::uintptr_t address,
                          std::size_t bytes = 1);
/// Outside of launches, where there are no parameters.
inline BufferName name_of_buffer(const Allocation& allocation, std::uintptr_t address, std::size_t bytes = 1) {
  return name_of_buffer(std::vector<KernelArgument>{}, allocation, address, bytes);
}

/// Adds the notes about the buffer, and the line that allocated it.
void describe_buffer(Finding& finding, const BufferName& name, const Allocation& allocation);

}  // namespace offgrid::emu
