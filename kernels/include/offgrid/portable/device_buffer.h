/// Device memory of exactly the size asked for, with a name and a shape that the emulator's reports use; on real
/// devices between red zones.
#pragma once

#include <offgrid/portable/canary.h>
#include <offgrid/portable/gpu.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#if OFFGRID_VENDOR_EMU
#include <offgrid/emu/memory.h>
#endif

namespace offgrid::gpu {

/// T is what the host stores; a 16-bit format is std::uint16_t here. Empty buffers hold no memory and give null.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(const BufferName& name, std::size_t count) : count_(count) {
    if (count == 0) return;
    if (Canaries::instance().is_on()) {
      data_ = static_cast<T*>(Canaries::instance().allocate_guarded(name, sizeof(T), count * sizeof(T)));
      return;
    }
    data_ = static_cast<T*>(allocate(count * sizeof(T)));
#if OFFGRID_VENDOR_EMU
    emu::Shape shape{name.element, sizeof(T), {}};
    for (const auto& dim : name.dims) shape.dims.push_back({dim.name, dim.size});
    emu::DeviceMemory::instance().describe(data_, name.name, std::move(shape));
#else
    static_cast<void>(name);
#endif
  }
  DeviceBuffer(const BufferName& name, std::span<const T> values) : DeviceBuffer(name, values.size()) {
    upload(values);
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~DeviceBuffer() {
    if (data_ != nullptr && !Canaries::instance().release_guarded(data_)) release(data_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t count() const { return count_; }

  /// errors  std::invalid_argument if the sizes differ
  void upload(std::span<const T> values) {
    if (values.size() != count_) throw std::invalid_argument("upload of another size than the buffer's");
    if (count_ > 0) copy_to_device(data_, values.data(), count_ * sizeof(T));
  }
  std::vector<T> download() const {
    std::vector<T> values(count_);
    if (count_ > 0) copy_to_host(values.data(), data_, count_ * sizeof(T));
    return values;
  }
  /// 0xFF is NaN in every floating-point format and -1 in every integer.
  void fill(unsigned char byte) {
    if (count_ > 0) fill_bytes(data_, byte, count_ * sizeof(T));
  }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace offgrid::gpu
