// Device memory for elements of a format chosen at run time, seen from the host as codes.
#pragma once

#include <offgrid/kernels/data_type.h>
#include <offgrid/portable/device_buffer.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace offgrid::cases {

class ElementBuffer {
 public:
  /// Filled with poison (0xFF bytes).
  ElementBuffer(std::string name, kernels::DataType type, std::vector<gpu::BufferName::Dimension> dims,
                std::int64_t count)
      : wide_(kernels::size_of(type) == 4) {
    const gpu::BufferName label{std::move(name), std::string(kernels::name_of(type)), std::move(dims)};
    if (wide_) {
      words_ = gpu::DeviceBuffer<std::uint32_t>(label, static_cast<std::size_t>(count));
    } else {
      halves_ = gpu::DeviceBuffer<std::uint16_t>(label, static_cast<std::size_t>(count));
    }
    poison();
  }

  void poison() {
    words_.fill(0xFF);
    halves_.fill(0xFF);
  }

  void* data() { return wide_ ? static_cast<void*>(words_.data()) : halves_.data(); }
  std::uint32_t poison_code() const { return wide_ ? 0xFFFFFFFFu : 0xFFFFu; }

  std::vector<std::uint32_t> codes() const {
    if (wide_) return words_.download();
    const auto halves = halves_.download();
    return {halves.begin(), halves.end()};
  }

 private:
  bool wide_;
  gpu::DeviceBuffer<std::uint32_t> words_;
  gpu::DeviceBuffer<std::uint16_t> halves_;
};

}  // namespace offgrid::cases
