/// Random shapes of a target.
#pragma once

#include <offgrid/fuzz/target.h>

#include <optional>

namespace offgrid::fuzz {

/// Three values in four are edges. The same seed gives the same shape everywhere. Nothing if the target accepts none of
/// a hundred.
std::optional<Shape> generate_shape(const Target& target, std::uint64_t seed);

}  // namespace offgrid::fuzz
