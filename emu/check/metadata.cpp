#include "check/metadata.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "memory/window.h"

namespace offgrid::emu::check {

Metadata metadata;

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kLarge = std::size_t{1} << 20;  // from here on pages are mapped instead of filled
constexpr std::size_t kOnesBytes = std::size_t{4} << 20;
constexpr int kEmptyFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

template <class T>
T* reserve(std::size_t bytes, std::size_t skew) {
  void* p = mmap(nullptr, bytes + kPage, PROT_READ | PROT_WRITE, kEmptyFlags, -1, 0);
  if (p == MAP_FAILED) {
    std::fprintf(stderr, "offgrid: error: checked mode needs %zu GiB of address space, the system gives less\n",
                 bytes >> 30);
    std::_Exit(2);
  }
  // Arrays at the same place of a page as the data would fight for the same cache sets.
  return reinterpret_cast<T*>(static_cast<unsigned char*>(p) + 64 * skew);
}

/// The writable data of the program itself: where `__device__` variables lie.
void find_statics() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void*) {
        std::uintptr_t begin = ~std::uintptr_t{0}, end = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_W)) continue;
          begin = std::min<std::uintptr_t>(begin, info->dlpi_addr + segment.p_vaddr);
          end = std::max<std::uintptr_t>(end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
        }
        if (begin < end) {
          metadata.statics_begin = begin / kPage * kPage;
          metadata.statics_bytes = end - metadata.statics_begin;
        }
        return 1;  // the program comes first; libraries hold no kernels
      },
      nullptr);
}

int ones_file() {
  static const int file = [] {
    const int fd = memfd_create("offgrid undefined", MFD_CLOEXEC);
    const std::vector<unsigned char> ones(kOnesBytes, 0xFF);
    if (fd >= 0 && write(fd, ones.data(), ones.size()) == static_cast<ssize_t>(ones.size())) return fd;
    return -1;
  }();
  return file;
}

bool map_ones(unsigned char* begin, unsigned char* end) {
  if (ones_file() < 0) return false;
  for (unsigned char* at = begin; at < end; at += kOnesBytes) {
    const auto bytes = std::min<std::size_t>(kOnesBytes, static_cast<std::size_t>(end - at));
    if (mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, ones_file(), 0) == MAP_FAILED)
      return false;
  }
  return true;
}

bool map_zeros(unsigned char* begin, unsigned char* end) {
  return mmap(begin, static_cast<std::size_t>(end - begin), PROT_READ | PROT_WRITE, kEmptyFlags | MAP_FIXED, -1, 0) !=
         MAP_FAILED;
}

/// Fills an array: whole pages of large ranges by mapping.
void fill(unsigned char* begin, std::size_t bytes, unsigned char value) {
  unsigned char* end = begin + bytes;
  if (bytes >= kLarge) {
    auto* low = reinterpret_cast<unsigned char*>((reinterpret_cast<std::uintptr_t>(begin) + kPage - 1) / kPage * kPage);
    auto* high = reinterpret_cast<unsigned char*>(reinterpret_cast<std::uintptr_t>(end) / kPage * kPage);
    if (value == 0 ? map_zeros(low, high) : map_ones(low, high)) {
      std::memset(begin, value, static_cast<std::size_t>(low - begin));
      std::memset(high, value, static_cast<std::size_t>(end - high));
      return;
    }
  }
  std::memset(begin, value, bytes);
}

/// Zeros an array that is mostly untouched: gives whole pages back, however few.
template <class T>
void clear(T* array, std::size_t begin, std::size_t end) {
  const auto first = reinterpret_cast<std::uintptr_t>(array + begin),
             last = reinterpret_cast<std::uintptr_t>(array + end);
  const std::uintptr_t low = (first + kPage - 1) / kPage * kPage, high = last / kPage * kPage;
  if (low >= high) {
    std::memset(array + begin, 0, last - first);
    return;
  }
  std::memset(reinterpret_cast<void*>(first), 0, low - first);
  madvise(reinterpret_cast<void*>(low), high - low, MADV_DONTNEED);
  std::memset(reinterpret_cast<void*>(high), 0, last - high);
}

void clear_words(std::uint32_t* words, std::size_t offset, std::size_t bytes) {
  clear(words, offset / 4, (offset + bytes + 3) / 4);
}

/// Splits a range where the arrays are not continuous, and leaves out what nothing is kept about.
bool find(const void* begin, std::size_t bytes, std::size_t& offset) {
  return bytes != 0 && metadata.offset_of(reinterpret_cast<std::uintptr_t>(begin), offset);
}

}  // namespace

void reserve_metadata() {
  const Window& w = window();
  metadata.begin = w.begin;
  metadata.window_bytes = w.end - w.begin;
  find_statics();
  const std::size_t bytes = metadata.window_bytes + (metadata.statics_bytes + kPage - 1) / kPage * kPage;
  metadata.shadow = reserve<unsigned char>(bytes, 1);
  metadata.origin = reserve<std::uint32_t>(bytes, 3);
  std::size_t skew = 5;
  for (int level = 0; level < kLevels; ++level) {
    for (Cell** array :
         {&metadata.cells[level].write, &metadata.cells[level].read, &metadata.cells[level].other_read}) {
      *array = reserve<Cell>(bytes << level, skew);
      skew += 2;
    }
  }
}

void mark_undefined(const void* begin, std::size_t bytes) {
  std::size_t offset = 0;
  if (!find(begin, bytes, offset)) return;
  fill(metadata.shadow + offset, bytes, 0xFF);
  clear_words(metadata.origin, offset, bytes);
}

void mark_defined(const void* begin, std::size_t bytes) {
  std::size_t offset = 0;
  if (find(begin, bytes, offset)) fill(metadata.shadow + offset, bytes, 0);
}

void mark_value(const void* begin, std::uint64_t shadow, std::uint32_t origin) {
  std::size_t offset = 0;
  if (!find(begin, sizeof shadow, offset)) return;
  std::memcpy(metadata.shadow + offset, &shadow, sizeof shadow);
  if (!shadow) return;
  for (std::size_t word = offset / 4; word <= (offset + 7) / 4; ++word) metadata.origin[word] = origin;
}

void copy_marks(void* to, const void* from, std::size_t bytes) {
  std::size_t target = 0, source = 0;
  if (!find(to, bytes, target)) return;
  if (!find(from, bytes, source)) return mark_defined(to, bytes);
  std::memmove(metadata.shadow + target, metadata.shadow + source, bytes);
  std::memmove(metadata.origin + target / 4, metadata.origin + source / 4, (bytes + 3) / 4 * 4);
}

void forget_accesses(const void* begin, std::size_t bytes) {
  std::size_t offset = 0;
  if (!find(begin, bytes, offset)) return;
  for (int level = 0; level < kLevels; ++level) {
    const int shift = 2 - level;
    for (Cell* array : {metadata.cells[level].write, metadata.cells[level].read, metadata.cells[level].other_read}) {
      clear(array, offset >> shift, (offset + bytes + 3) >> shift);
    }
  }
}

void forget(const void* begin, std::size_t bytes) {
  mark_defined(begin, bytes);
  std::size_t offset = 0;
  if (!find(begin, bytes, offset)) return;
  clear(metadata.shadow, offset, offset + bytes);
  clear_words(metadata.origin, offset, bytes);
  forget_accesses(begin, bytes);
}

}  // namespace offgrid::emu::check
