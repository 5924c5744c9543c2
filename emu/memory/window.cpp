#include "memory/window.h"

#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

// The checks' entry point (emu/check); there only if a checked kernel asked the linker for it.
extern "C" __attribute__((weak)) void offgrid_start_checks();

namespace offgrid::emu {
namespace {

constexpr std::size_t kGiB = std::size_t{1} << 30;
constexpr std::size_t kLargestHeap = 8192 * kGiB;
constexpr std::size_t kLargestCheckedHeap = 1024 * kGiB;
constexpr std::size_t kSmallestHeap = kGiB;
// In front of it, so that an index that wrapped at 2^32 meets nothing that could be read: 16 wraps of 16-byte elements.
constexpr std::size_t kMoat = 1024 * kGiB;
constexpr std::size_t kBlocks = 64 * kGiB;  // shared memory and stacks of all resident blocks
constexpr std::size_t kGap = std::size_t{256}
                             << 10;  // between pieces: a stray access hits none, and is told by its distance
constexpr std::size_t kPage = 4096;

constexpr int kClosedFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

Window reserve() {
  for (std::size_t heap = is_checked_program() ? kLargestCheckedHeap : kLargestHeap; heap >= kSmallestHeap; heap /= 2) {
    const std::size_t moat = std::min(kMoat, heap);
    void* range = mmap(nullptr, moat + heap + kBlocks, PROT_NONE, kClosedFlags, -1, 0);
    if (range == MAP_FAILED) continue;
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(range) + moat;
    return {begin, begin + heap, begin + heap + kBlocks};
  }
  return {};
}

/// Pieces of [heap_end, end): taken from a rising mark, and again from what came back, by size.
struct Pieces {
  std::mutex mutex;
  std::uintptr_t mark = window().heap_end;
  std::map<std::size_t, std::vector<void*>> free;
};

Pieces& pieces() {
  static auto* p = new Pieces;  // used by static destructors
  return *p;
}

std::size_t whole_pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

}  // namespace

bool is_checked_program() { return offgrid_start_checks != nullptr; }

void start_checks() {
  if (is_checked_program()) offgrid_start_checks();
}

const Window& window() {
  static const Window reserved = reserve();
  return reserved;
}

void* take_from_window(std::size_t bytes) {
  bytes = whole_pages(bytes);
  Pieces& p = pieces();
  const std::lock_guard lock(p.mutex);
  if (auto& same = p.free[bytes]; !same.empty()) {
    void* piece = same.back();
    same.pop_back();
    return piece;
  }
  if (bytes + kGap > window().end - p.mark) return nullptr;
  void* piece = reinterpret_cast<void*>(p.mark);
  p.mark += bytes + kGap;
  return piece;
}

void give_to_window(void* begin, std::size_t bytes) {
  bytes = whole_pages(bytes);
  mmap(begin, bytes, PROT_NONE, kClosedFlags | MAP_FIXED, -1, 0);
  Pieces& p = pieces();
  const std::lock_guard lock(p.mutex);
  p.free[bytes].push_back(begin);
}

}  // namespace offgrid::emu
