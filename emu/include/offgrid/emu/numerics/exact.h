/// Whether kernels get the device's bits (`exact`) or the host's values (`fast`) from special functions and tensor
/// cores.
#pragma once

#include <cstdint>

namespace offgrid::emu {

enum class Numerics : std::uint8_t {
  kProfile,  ///< exact where the device profile is modelled bit for bit
  kExact,    ///< the device's bits
  kFast,     ///< the C library's functions, plain fused sums for tensor cores
};

/// For kernels that start from now on. The engine's settings call it.
void set_exact_numerics(bool exact) noexcept;
bool exact_numerics() noexcept;

}  // namespace offgrid::emu
