/// Element types that kernels are instantiated for.
#pragma once

#include <cstddef>
#include <string_view>

namespace offgrid::kernels {

enum class DataType { kFp32, kBf16, kFp16, kE4m3 };

constexpr std::string_view name_of(DataType type) {
  switch (type) {
    case DataType::kFp32:
      return "fp32";
    case DataType::kBf16:
      return "bf16";
    case DataType::kFp16:
      return "fp16";
    case DataType::kE4m3:
      return "e4m3";
  }
  return "?";
}

constexpr std::size_t size_of(DataType type) { return type == DataType::kFp32 ? 4 : type == DataType::kE4m3 ? 1 : 2; }

}  // namespace offgrid::kernels
