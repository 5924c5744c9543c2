// States for merge cases: codes in memory, and the same states in fp64.
#pragma once

#include <offgrid/reference/attention.h>

#include <cstdint>
#include <vector>

#include "cases/merge_case.h"

namespace offgrid::cases {

/// Strides in elements of a tensor [rows, heads, width], and its exact number of elements.
struct RowLayout {
  std::int64_t row = 0, head = 0, count = 0;
  std::int64_t at(std::int64_t r, std::int64_t h) const { return r * row + h * head; }
};

/// Dense for gap 0; else `gap` elements behind each head and 3 * gap behind each row.
RowLayout row_layout(std::int64_t rows, std::int64_t heads, std::int64_t width, std::int64_t gap);

/// A lse as [heads, rows], the rows next to each other.
RowLayout by_head_layout(std::int64_t rows, std::int64_t heads, std::int64_t gap);

/// One state of a merge, in memory: codes of its types, poison between.
struct StateMemory {
  RowLayout out_layout, lse_layout;
  std::vector<std::uint32_t> out, lse;
};

/// All states have one layout, apart from those of MergeOp::kPair.
std::vector<StateMemory> make_states(const MergeCase& c);

/// A row and head of a state, exactly as stored; lse in base e.
reference::State state_of(const MergeCase& c, const StateMemory& memory, std::int64_t row, std::int64_t head);

}  // namespace offgrid::cases
