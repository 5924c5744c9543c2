// Device memory that is far larger than what is used of it, for offsets beyond 32 bits.
#pragma once

#include <offgrid/portable/gpu.h>
#include <offgrid/portable/vendor.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#if OFFGRID_VENDOR_EMU
#include <offgrid/emu/memory.h>
#endif

namespace offgrid::cases {

/// Lets the emulator hand out more memory than the machine has, which costs nothing as long as it is not touched.
class UnlimitedMemory {
 public:
  UnlimitedMemory() {
#if OFFGRID_VENDOR_EMU
    limit_ = emu::DeviceMemory::instance().limit();
    emu::DeviceMemory::instance().set_limit(std::numeric_limits<std::size_t>::max());
#endif
  }
  UnlimitedMemory(const UnlimitedMemory&) = delete;
  UnlimitedMemory& operator=(const UnlimitedMemory&) = delete;
  ~UnlimitedMemory() {
#if OFFGRID_VENDOR_EMU
    emu::DeviceMemory::instance().set_limit(limit_);
#endif
  }

 private:
  [[maybe_unused]] std::size_t limit_ = 0;
};

/// `count` elements of `element_bytes` each, of which pieces are written and read. Everything else is left as it came.
class SparseBuffer {
 public:
  /// errors  gpu::GpuError if the device has not as much
  SparseBuffer(std::int64_t count, std::size_t element_bytes)
      : element_bytes_(element_bytes),
        data_(static_cast<unsigned char*>(gpu::allocate(static_cast<std::size_t>(count) * element_bytes))) {}
  SparseBuffer(SparseBuffer&& other) noexcept
      : element_bytes_(other.element_bytes_), data_(std::exchange(other.data_, nullptr)) {}
  SparseBuffer& operator=(SparseBuffer&&) = delete;
  ~SparseBuffer() {
    if (data_ != nullptr) gpu::release(data_);
  }

  void* data() { return data_; }

  void write(std::int64_t at, const void* from, std::int64_t count) {
    gpu::copy_to_device(data_ + offset(at), from, offset(count));
  }
  void read(std::int64_t at, void* to, std::int64_t count) const {
    gpu::copy_to_host(to, data_ + offset(at), offset(count));
  }

 private:
  std::size_t offset(std::int64_t elements) const { return static_cast<std::size_t>(elements) * element_bytes_; }

  std::size_t element_bytes_;
  unsigned char* data_;
};

}  // namespace offgrid::cases
