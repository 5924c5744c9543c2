/// What the checks keep about every byte that a kernel may touch: arrays over the window (emu/memory/window.h) at
/// fixed places, reserved whole and given memory by the system where they are touched. The program's own variables
/// (`__device__`, `__constant__`) follow behind the window's bytes.
///
/// shadow    one byte a byte: which of its bits are undefined (0: all defined)
/// origin    one word a 4-byte word: where an undefined value comes from (origins.h); 0: the word was never written
/// cells     who accessed it last (segments.h): one word a granule of 4 bytes; where narrower accesses met, kFiner
///           there, and cells for granules of 2 bytes, and of 1
#pragma once

#include <cstddef>
#include <cstdint>

namespace offgrid::emu::check {

using Cell = std::uint32_t;
inline constexpr Cell kFiner = ~Cell{0};

/// Last write, last read, and last read of another warp, of the granules of one size.
struct Cells {
  Cell* write = nullptr;
  Cell* read = nullptr;
  Cell* other_read = nullptr;
};

inline constexpr int kLevels = 3;  ///< granules of 4, 2 and 1 bytes

struct Metadata {
  std::uintptr_t begin = 0;          ///< of the window
  std::size_t window_bytes = 0;      ///< offsets from here on are the program's variables
  std::uintptr_t statics_begin = 0;  ///< of the program's variables
  std::size_t statics_bytes = 0;
  unsigned char* shadow = nullptr;
  std::uint32_t* origin = nullptr;
  Cells cells[kLevels];

  /// The place of an address in the arrays. False if nothing is kept about it.
  bool offset_of(std::uintptr_t address, std::size_t& offset) const {
    if (address - begin < window_bytes) {
      offset = address - begin;
      return true;
    }
    if (address - statics_begin < statics_bytes) {
      offset = window_bytes + (address - statics_begin);
      return true;
    }
    return false;
  }
};

extern Metadata metadata;

/// Reserves the arrays. Ends the process with status 2 if the system gives no address space.
void reserve_metadata();

// Bytes anywhere; those that nothing is kept about are left out.
void mark_undefined(const void* begin, std::size_t bytes);
void mark_defined(const void* begin, std::size_t bytes);
/// 8 bytes, bit by bit, and where the undefined ones come from.
void mark_value(const void* begin, std::uint64_t shadow, std::uint32_t origin);
void copy_marks(void* to, const void* from, std::size_t bytes);
/// Forgets everything about the bytes: defined, never accessed. Gives memory back.
void forget(const void* begin, std::size_t bytes);
/// Forgets who accessed the bytes.
void forget_accesses(const void* begin, std::size_t bytes);

}  // namespace offgrid::emu::check
