/// Stacks for fibers: mapped once in chunks, a guard page below each, recycled most recent first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace offgrid::emu {

/// One stack. `top` is coloured: stacks start at different offsets, so that 1024 of them do not share the same cache
/// sets.
struct Stack {
  unsigned char* bottom = nullptr;  ///< lowest usable byte; the guard page ends here
  unsigned char* top = nullptr;     ///< 16-byte aligned, first free byte from above
  bool guarded = true;

  /// True if the address lies in the guard page below this stack, or up to one stack further down.
  bool overflowed_at(std::uintptr_t address, std::size_t stack_bytes) const {
    const auto low = reinterpret_cast<std::uintptr_t>(bottom);
    return address < low && address + stack_bytes >= low;
  }
};

/// Not thread-safe: each worker has its own pool.
class StackPool {
 public:
  explicit StackPool(std::size_t stack_bytes) : stack_bytes_(stack_bytes) {}
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  /// A free stack, or null if the system gives no more memory.
  Stack* take();
  void give_back(Stack* stack) { free_.push_back(stack); }

  std::size_t stack_bytes() const { return stack_bytes_; }
  std::size_t mapped() const { return chunks_.size() * kStacksPerChunk; }  ///< stacks in existence

 private:
  static constexpr std::size_t kStacksPerChunk = 64;
  struct Chunk {
    unsigned char* base;
    std::size_t bytes;
    Stack* stacks;
  };
  bool grow();

  std::size_t stack_bytes_;
  std::vector<Chunk> chunks_;
  std::vector<Stack*> free_;
};

}  // namespace offgrid::emu
