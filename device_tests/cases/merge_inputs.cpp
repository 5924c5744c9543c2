// See merge_inputs.h.
#include "cases/merge_inputs.h"

#include <offgrid/reference/float_format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "cases/mla_decode_inputs.h"
#include "cases/splitmix64.h"

namespace offgrid::cases {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double lse_value(const MergeCase& c, int i, int row_and_head, Splitmix64& random) {
  const double normal = 2 * random.normal();
  const bool first = i == 0;
  const bool last = i + 1 == c.states;
  switch (c.lse) {
    case LsePattern::kNormal:
      return normal;
    case LsePattern::kShifted:
      return 1000 + normal;
    case LsePattern::kEqual:
      return 3.25;
    case LsePattern::kFar:
      return normal + 200.0 * i;
    case LsePattern::kEmpty:
      switch (row_and_head % 6) {
        case 1:
          return -kInfinity;
        case 2:
          return first ? -kInfinity : normal;
        case 3:
          return last ? -kInfinity : normal;
        case 4:
          return first ? kInfinity : normal;
        case 5:
          return last ? std::nan("") : normal;
        default:
          return normal;
      }
  }
  return normal;
}

}  // namespace

RowLayout row_layout(std::int64_t rows, std::int64_t heads, std::int64_t width, std::int64_t gap) {
  RowLayout l;
  l.head = width + gap;
  l.row = heads * l.head + 3 * gap;
  l.count = rows * heads * width == 0 ? 0 : l.at(rows - 1, heads - 1) + width;
  return l;
}

RowLayout by_head_layout(std::int64_t rows, std::int64_t heads, std::int64_t gap) {
  return {1, rows + gap, rows * heads == 0 ? 0 : (heads - 1) * (rows + gap) + rows};
}

std::vector<StateMemory> make_states(const MergeCase& c) {
  Splitmix64 random(static_cast<std::uint64_t>(c.states * 1000 + c.rows * 10 + c.heads));
  const auto& format = format_of(c.variant.dtype);
  const auto& lse_format = format_of(c.variant.lse_dtype);
  const std::uint32_t poison = format.bits() == 32 ? 0xFFFFFFFF : 0xFFFF;
  const std::uint32_t lse_poison = lse_format.bits() == 32 ? 0xFFFFFFFF : 0xFFFF;
  std::vector<StateMemory> states(static_cast<std::size_t>(c.states));
  for (int i = 0; i < c.states; ++i) {
    StateMemory& s = states[static_cast<std::size_t>(i)];
    const bool is_pair = c.op == MergeOp::kPair;
    const std::int64_t gap = c.inflated ? (is_pair ? 5 + 8 * i : 5) : 0;
    s.out_layout = row_layout(c.rows, c.heads, c.head_dim, gap);
    s.lse_layout = is_pair ? by_head_layout(c.rows, c.heads, gap) : row_layout(c.rows, c.heads, 1, gap);
    s.out.assign(static_cast<std::size_t>(s.out_layout.count), poison);
    s.lse.assign(static_cast<std::size_t>(s.lse_layout.count), lse_poison);
    for (int row = 0; row < c.rows; ++row) {
      for (int head = 0; head < c.heads; ++head) {
        const bool is_copied = i == 1 && c.prefix_tokens >= 0 && row >= c.prefix_tokens;
        const double lse = lse_value(c, i, row * c.heads + head, random);
        s.lse[static_cast<std::size_t>(s.lse_layout.at(row, head))] = reference::encode(lse_format, lse);
        for (int d = 0; d < c.head_dim; ++d) {
          const double value = random.normal();
          if (!(std::abs(lse) < kInfinity) && !is_copied) continue;  // an empty state's output stays NaN
          s.out[static_cast<std::size_t>(s.out_layout.at(row, head) + d)] = reference::encode(format, value);
        }
      }
    }
  }
  return states;
}

reference::State state_of(const MergeCase& c, const StateMemory& memory, std::int64_t row, std::int64_t head) {
  reference::State state = reference::empty_state(c.head_dim);
  const std::uint32_t* code = memory.out.data() + memory.out_layout.at(row, head);
  for (double& x : state.out) x = reference::decode(format_of(c.variant.dtype), *code++);
  state.lse = reference::decode(format_of(c.variant.lse_dtype),
                                memory.lse[static_cast<std::size_t>(memory.lse_layout.at(row, head))]);
  if (c.base == kernels::LseBase::k2) state.lse *= std::numbers::ln2;
  return state;
}

}  // namespace offgrid::cases
