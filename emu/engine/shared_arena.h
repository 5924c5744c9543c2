/// Shared memory of one resident block: static variables in one mapping, the dynamic part in another that ends at a
/// guard page. Whatever no variable owns, and every variable before its first write in a block, holds 0xFF.
#pragma once

#include <cstddef>
#include <utility>

namespace offgrid::emu {

class SharedArena {
 public:
  SharedArena() = default;
  ~SharedArena();
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;

  /// Maps the arena, poisoned, on first use. False if the system gives no memory.
  bool map();
  /// Poisons the first bytes of the static part again: at the end of each block, with all that it may have written.
  void poison_statics(std::size_t bytes);
  /// Poisons the dynamic part: at the start of each block.
  void poison_dynamic(std::size_t bytes);

  unsigned char* statics() const { return base_ + kGuard; }
  /// 16-byte aligned; [dynamic(bytes), + bytes) ends at most 15 bytes before a guard page, or, in a checked program,
  /// before an open zone in which the checks see every access.
  unsigned char* dynamic(std::size_t bytes) const;
  /// True if the address lies in this arena's mapping, guards included.
  bool owns(const void* address) const { return base_ && address >= base_ && address < base_ + kBytes; }

  static constexpr std::size_t kStatic = 512 * 1024;  ///< static variables and the red zones between them
  static constexpr std::size_t kDynamic = 256 * 1024;
  static constexpr std::size_t kDynamicZone = 24 * 1024;
  static constexpr std::size_t kGuard = 4096;
  static constexpr std::size_t kWindow = kStatic + kGuard + kDynamic;  ///< from statics() on

 private:
  static constexpr std::size_t kBytes = kGuard + kStatic + kGuard + kDynamic + kGuard;
  unsigned char* base_ = nullptr;
};

}  // namespace offgrid::emu
