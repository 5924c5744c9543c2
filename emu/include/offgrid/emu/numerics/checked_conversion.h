/// What conversions to 16 bits tell the checks, in files compiled for checked mode and in the library's own
/// (OFFGRID_NOTE_CONVERSIONS): both are rare, so the calls cost nothing where numbers are ordinary.
#pragma once

#include <cstdint>

namespace offgrid::emu::numerics {

/// A finite number, (-1)^negative * significand * 2^exponent, has become infinite in a 16-bit format of that many
/// mantissa bits.
[[gnu::noinline, gnu::cold]] void note_overflow(bool negative, std::uint64_t significand, int exponent,
                                                int mantissa_bits);

/// A NaN with these bits, of a float or of a double, has lost its payload in a 16-bit format.
[[gnu::noinline, gnu::cold]] void note_narrowed_nan(std::uint64_t bits, bool is_double);

}  // namespace offgrid::emu::numerics
