// Pages of the reserved range. Small ranges are filled by hand; large ones map a file of 0xFF bytes copy-on-write, so
// that an allocation costs the same few microseconds a chunk whether or not its pages are ever touched.
#include "memory/reservation.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <vector>

#include "memory/window.h"

namespace offgrid::emu {
namespace {

constexpr std::size_t kMappedFrom = std::size_t{1} << 20;
// One mapping a chunk: smaller chunks cost more calls and kernel records, larger ones more memory for the file.
constexpr std::size_t kPoisonFileBytes = std::size_t{4} << 20;

constexpr int kClosedFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

void* at(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

int make_poison_file() {
  const int file = memfd_create("offgrid poison", MFD_CLOEXEC);
  if (file < 0) return -1;
  const std::vector<unsigned char> piece(std::size_t{1} << 16, kPoisonByte);
  for (std::size_t done = 0; done < kPoisonFileBytes; done += piece.size()) {
    if (write(file, piece.data(), piece.size()) != static_cast<ssize_t>(piece.size())) {
      ::close(file);
      return -1;
    }
  }
  return file;
}

/// How many mappings of the process device memory may take: the system's limit less a quarter for everyone else.
std::size_t mapping_share() {
  std::size_t limit = 65530;
  std::ifstream("/proc/sys/vm/max_map_count") >> limit;
  return limit / 4 * 3;
}

void close_pages(std::uintptr_t begin, std::uintptr_t end) {
  if (mmap(at(begin), end - begin, PROT_NONE, kClosedFlags | MAP_FIXED, -1, 0) != MAP_FAILED) return;
  // Only when the mapping table is full: the pages go, the (now closed) mapping stays apart from its neighbours.
  madvise(at(begin), end - begin, MADV_DONTNEED);
  mprotect(at(begin), end - begin, PROT_NONE);
}

}  // namespace

Reservation::Reservation()
    : begin_(window().begin),
      end_(window().heap_end),
      page_bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
      max_mappings_(mapping_share()) {}

std::size_t Reservation::mappings_for(std::size_t bytes) {
  return bytes < kMappedFrom ? 2 : 1 + (bytes + kPoisonFileBytes - 1) / kPoisonFileBytes;
}

bool Reservation::open(std::uintptr_t begin, std::uintptr_t end) {
  const std::size_t bytes = end - begin;
  const std::size_t mappings = mappings_for(bytes);
  if (mappings_ + mappings > max_mappings_) return false;
  if (bytes < kMappedFrom || !open_by_mapping(begin, end)) {
    if (mprotect(at(begin), bytes, PROT_READ | PROT_WRITE) != 0) {
      close_pages(begin, end);
      return false;
    }
    std::memset(at(begin), kPoisonByte, bytes);
  }
  mappings_ += mappings;
  return true;
}

bool Reservation::open_zone(std::uintptr_t begin, std::uintptr_t end) {
  if (mappings_ + 2 > max_mappings_ || !open_by_mapping(begin, end)) return false;
  mappings_ += 2;
  return true;
}

bool Reservation::open_by_mapping(std::uintptr_t begin, std::uintptr_t end) {
  if (poison_file_ < 0) poison_file_ = make_poison_file();
  if (poison_file_ < 0) return false;
  constexpr int kFlags = MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED;
  for (std::uintptr_t p = begin; p < end; p += kPoisonFileBytes) {
    const std::size_t bytes = std::min<std::size_t>(kPoisonFileBytes, end - p);
    if (mmap(at(p), bytes, PROT_READ | PROT_WRITE, kFlags, poison_file_, 0) == MAP_FAILED) {
      close_pages(begin, end);
      return false;
    }
  }
  return true;
}

void Reservation::close_zone(std::uintptr_t begin, std::uintptr_t end) {
  close_pages(begin, end);
  mappings_ -= 2;
}

void Reservation::close(std::uintptr_t begin, std::uintptr_t end, std::size_t opened_bytes) {
  close_pages(begin, end);
  mappings_ -= mappings_for(opened_bytes);
}

bool Reservation::protect(std::uintptr_t begin, std::uintptr_t end, bool read_only) {
  return mprotect(at(begin), end - begin, read_only ? PROT_READ : PROT_READ | PROT_WRITE) == 0;
}

}  // namespace offgrid::emu
