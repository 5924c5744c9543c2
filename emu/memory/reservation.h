/// The address range that all device memory lives in, as pages that are closed (inaccessible) or open (poisoned,
/// usable). Knows the operating system, and nothing of allocations.
#pragma once

#include <cstddef>
#include <cstdint>

namespace offgrid::emu {

inline constexpr unsigned char kPoisonByte = 0xFF;

class Reservation {
 public:
  Reservation();
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  std::uintptr_t begin() const { return begin_; }
  std::uintptr_t end() const { return end_; }
  std::size_t page_bytes() const { return page_bytes_; }

  /// Makes pages readable and writable, every byte 0xFF. False, and the pages closed, if the system refuses or if the
  /// process would come near its limit of mappings (stacks and malloc need some, too).
  bool open(std::uintptr_t begin, std::uintptr_t end);

  /// Makes pages inaccessible and gives their memory back. What one open() opened is one close(), which may reach
  /// further over pages that are closed already; opened_bytes is what that open() had opened.
  void close(std::uintptr_t begin, std::uintptr_t end, std::size_t opened_bytes);

  /// Opens pages next to an allocation whose accesses shall be seen instead of trapped; takes no memory until written.
  bool open_zone(std::uintptr_t begin, std::uintptr_t end);
  void close_zone(std::uintptr_t begin, std::uintptr_t end);

  bool protect(std::uintptr_t begin, std::uintptr_t end, bool read_only);

 private:
  static std::size_t mappings_for(std::size_t bytes);
  bool open_by_mapping(std::uintptr_t begin, std::uintptr_t end);

  std::uintptr_t begin_ = 0, end_ = 0;
  std::size_t page_bytes_;
  std::size_t mappings_ = 0, max_mappings_;  // of open pages, and the closed ones between them
  int poison_file_ = -1;                     // kPoisonFileBytes of 0xFF; made at the first large allocation
};

}  // namespace offgrid::emu
