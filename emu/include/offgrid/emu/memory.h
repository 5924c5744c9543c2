/// Device memory: one reserved address range, each allocation ending at a guard page and filled with 0xFF (NaN in every
/// floating-point format), freed ranges inaccessible.
#pragma once

#include <offgrid/emu/source_line.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace offgrid::emu {

enum class MemoryKind { kDevice, kHost, kManaged };

/// What an element of a named buffer is, for reports: "bf16[pages 40, page_size 16, head_dim 576]".
struct Shape {
  struct Dimension {
    std::string name;
    std::size_t size;
  };
  std::string element;  ///< "bf16"; empty: bytes
  std::size_t element_bytes = 1;
  std::vector<Dimension> dims;  ///< outermost first; empty: unknown
};

struct Allocation {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::uint64_t id = 0;  ///< from 1, in order of allocation
  MemoryKind kind = MemoryKind::kDevice;
  std::string name;  ///< empty: "allocation #id"
  Shape shape;
  SourceLine site;             ///< where it was allocated, if known
  std::uintptr_t site_pc = 0;  ///< else the return address of the allocating call
  std::uintptr_t end() const { return begin + bytes; }
};

enum class AddressClass {
  kInside,       ///< inside a live allocation
  kAfter,        ///< in the slack or guard page just after one
  kBefore,       ///< in the guard page just before one
  kFreed,        ///< inside a freed one, or in its guard pages
  kUnallocated,  ///< in the device range, but nothing was ever here
  kOutside,      ///< not in the device range
};

struct AddressInfo {
  AddressClass what = AddressClass::kOutside;
  Allocation allocation;  ///< valid for kInside, kAfter, kBefore and kFreed
};

enum class FreeError { kNone, kNotAllocated, kAlreadyFreed, kInteriorPointer };

/// The process's device memory. All members are thread-safe.
class DeviceMemory {
 public:
  static DeviceMemory& instance();

  /// Returns `bytes` of poisoned memory whose end lies at a guard page, with less than `alignment` bytes of checked
  /// slack between, or null if the address range, the mapping limit or `limit` is exhausted. bytes == 0 gives null. The
  /// start is a multiple of `alignment` (a power of two, at least 16).
  void* allocate(std::size_t bytes, MemoryKind kind, SourceLine site = {}, std::uintptr_t site_pc = 0,
                 std::size_t alignment = 16);

  /// Frees; the range stays inaccessible. `slack_overwritten` is set if bytes just behind the end, or just in front of
  /// the start, had been changed.
  FreeError free(void* pointer, bool* slack_overwritten = nullptr);

  /// Gives a live allocation its name and shape for reports. False if `pointer` is not the start of one.
  bool describe(const void* pointer, std::string name, Shape shape);

  /// Classifies any address. Async-signal-unsafe; the fault handler defers to the scheduler before asking.
  AddressInfo find(std::uintptr_t address) const;

  /// True if [pointer, pointer + bytes) lies inside one live allocation of any kind.
  bool contains(const void* pointer, std::size_t bytes) const;

  /// Makes a live allocation read-only (during a launch), or writable again. Only whole allocations.
  bool set_read_only(void* pointer, bool read_only);

  std::size_t live_bytes() const;
  std::size_t live_count() const;
  std::vector<Allocation> live() const;  ///< in order of allocation

  /// Bytes that may be allocated in all; from the profile, capped by the machine's memory.
  void set_limit(std::size_t bytes);
  std::size_t limit() const;

 private:
  DeviceMemory();
  struct Impl;
  Impl* impl_;
};

}  // namespace offgrid::emu
