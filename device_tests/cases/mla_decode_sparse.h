// Decode attention on memory whose offsets pass 2^31 and 2^32.
#pragma once

#include <offgrid/cases/case.h>

#include <vector>

namespace offgrid::cases {

/// E20 and E21 of the functional specification (4.6): page numbers beyond 2^16 and 2^24, caches, scratch and rows
/// beyond 2^31 and 2^32 elements. Each must give the bits of the same inputs in dense memory. Skipped where the device
/// has not as much memory; the emulator reserves it without touching it.
std::vector<Case> mla_decode_sparse_cases();

}  // namespace offgrid::cases
