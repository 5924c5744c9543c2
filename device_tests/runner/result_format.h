// The formats of result tensors by name: the floating-point formats of the reference, and "u32" for plain words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace offgrid::cases {

class ResultFormat {
 public:
  /// "fp32", "bf16", "fp16", "e4m3", "u32", or nothing.
  static std::optional<ResultFormat> named(std::string_view name);

  int bits() const;
  /// The code, with any NaN as the format's one NaN: which NaN it is says nothing about arithmetic.
  std::uint32_t with_one_nan(std::uint32_t code) const;
  bool is_finite(std::uint32_t code) const;  ///< true of plain words
  /// How many numbers lie between two codes; empty for plain words, where the question has no meaning.
  std::optional<std::int64_t> ulps(std::uint32_t a, std::uint32_t b) const;
  /// "1.015625 (0x3F82)"; of plain words, "0x00003F82".
  std::string text(std::uint32_t code) const;

 private:
  explicit ResultFormat(int index) : index_(index) {}
  int index_;  ///< in the table of floating-point formats; -1: plain words
};

}  // namespace offgrid::cases
