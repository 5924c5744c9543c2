// Device memory for elements of a format chosen at run time, seen from the host as codes.
#pragma once

#include <offgrid/kernels/data_type.h>
#include <offgrid/portable/device_buffer.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace offgrid::cases {

class ElementBuffer {
 public:
  /// Filled with poison (0xFF bytes).
  ElementBuffer(std::string name, kernels::DataType type, std::vector<gpu::BufferName::Dimension> dims,
                std::int64_t count)
      : bytes_(kernels::size_of(type)) {
    const gpu::BufferName label{std::move(name), std::string(kernels::name_of(type)), std::move(dims)};
    const auto size = static_cast<std::size_t>(count);
    if (bytes_ == 4) words_ = gpu::DeviceBuffer<std::uint32_t>(label, size);
    if (bytes_ == 2) halves_ = gpu::DeviceBuffer<std::uint16_t>(label, size);
    if (bytes_ == 1) codes_ = gpu::DeviceBuffer<std::uint8_t>(label, size);
    poison();
  }

  /// The same, with contents: codes in the low bits.
  template <class Code>
  ElementBuffer(std::string name, kernels::DataType type, std::vector<gpu::BufferName::Dimension> dims,
                const std::vector<Code>& values)
      : ElementBuffer(std::move(name), type, std::move(dims), static_cast<std::int64_t>(values.size())) {
    upload(values);
  }

  template <class Code>
  void upload(const std::vector<Code>& values) {
    if (bytes_ == 4) words_.upload(std::vector<std::uint32_t>(values.begin(), values.end()));
    if (bytes_ == 2) halves_.upload(std::vector<std::uint16_t>(values.begin(), values.end()));
    if (bytes_ == 1) codes_.upload(std::vector<std::uint8_t>(values.begin(), values.end()));
  }

  void poison() {
    words_.fill(0xFF);
    halves_.fill(0xFF);
    codes_.fill(0xFF);
  }

  void* data() {
    return bytes_ == 4   ? static_cast<void*>(words_.data())
           : bytes_ == 2 ? static_cast<void*>(halves_.data())
                         : static_cast<void*>(codes_.data());
  }

  /// The element at an offset; null in an empty buffer.
  void* at(std::int64_t offset) {
    auto* const begin = static_cast<unsigned char*>(data());
    return begin == nullptr ? nullptr : begin + offset * static_cast<std::int64_t>(bytes_);
  }

  std::vector<std::uint32_t> codes() const {
    if (bytes_ == 4) return words_.download();
    if (bytes_ == 2) {
      const auto halves = halves_.download();
      return {halves.begin(), halves.end()};
    }
    const auto codes = codes_.download();
    return {codes.begin(), codes.end()};
  }

 private:
  std::size_t bytes_;
  gpu::DeviceBuffer<std::uint32_t> words_;
  gpu::DeviceBuffer<std::uint16_t> halves_;
  gpu::DeviceBuffer<std::uint8_t> codes_;
};

}  // namespace offgrid::cases
