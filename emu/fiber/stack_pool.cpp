#include "fiber/stack_pool.h"

#include <sys/mman.h>

#include <atomic>

#include "memory/window.h"

namespace offgrid::emu {
namespace {

constexpr std::size_t kPage = 4096;

// Each guard page splits a mapping in two, and a process may have 65,530 of them. Past this many stacks (a cooperative
// grid with many resident blocks) a whole chunk shares one guard page.
constexpr std::size_t kMaxGuardedStacks = 12'000;
std::atomic<std::size_t> guarded_stacks{0};

}  // namespace

StackPool::~StackPool() {
  for (const Chunk& chunk : chunks_) {
    if (chunk.stacks[0].guarded) guarded_stacks -= kStacksPerChunk;
    give_to_window(chunk.base, chunk.bytes);
    delete[] chunk.stacks;
  }
}

bool StackPool::grow() {
  const std::size_t pitch = kPage + stack_bytes_;
  const std::size_t bytes = pitch * kStacksPerChunk;
  void* base = take_from_window(bytes);
  if (!base) return false;
  if (mmap(base, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
      MAP_FAILED) {
    give_to_window(base, bytes);
    return false;
  }
  const bool guarded = guarded_stacks.fetch_add(kStacksPerChunk) < kMaxGuardedStacks;
  if (!guarded) guarded_stacks -= kStacksPerChunk;

  auto* bytes_base = static_cast<unsigned char*>(base);
  auto* stacks = new Stack[kStacksPerChunk];
  const std::size_t first = chunks_.size() * kStacksPerChunk;
  for (std::size_t i = 0; i < kStacksPerChunk; ++i) {
    unsigned char* guard = bytes_base + i * pitch;
    if (guarded || i == 0) mprotect(guard, kPage, PROT_NONE);
    const std::size_t colour = (192 * (first + i)) % 8064;
    stacks[i] = {guard + kPage, guard + pitch - colour, guarded};
  }
  for (std::size_t i = kStacksPerChunk; i-- > 0;) free_.push_back(&stacks[i]);
  chunks_.push_back({bytes_base, bytes, stacks});
  return true;
}

Stack* StackPool::take() {
  if (free_.empty() && !grow()) return nullptr;
  Stack* stack = free_.back();
  free_.pop_back();
  return stack;
}

}  // namespace offgrid::emu
