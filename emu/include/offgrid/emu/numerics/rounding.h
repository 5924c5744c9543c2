/// The rounding directions and the two answers to "too large" that the devices' conversions know.
#pragma once

namespace offgrid::emu::numerics {

enum class Rounding : unsigned char {
  kNearestEven,  ///< CUDA's _rn
  kTowardZero,   ///< _rz
  kUp,           ///< _ru, toward +infinity
  kDown,         ///< _rd, toward -infinity
};

enum class Overflow : unsigned char {
  kIeee,      ///< infinity, or the largest finite value where the direction points away from infinity; NaN in formats
              ///< without infinity
  kSaturate,  ///< the largest finite value, also for an infinite operand (but see convert(): fnuz)
};

}  // namespace offgrid::emu::numerics
