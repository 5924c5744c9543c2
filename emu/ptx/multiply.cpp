// mma.sync: products of a warp's matrices, bit for bit as sm_90. numerics/tensor_tile.h says where lanes' registers go.
#include <offgrid/emu/numerics/tensor_tile.h>

#include <algorithm>
#include <iterator>

#include "engine/state.h"
#include "ptx/machine.h"
#include "ptx/mnemonics.h"
#include "ptx/warp_exchange.h"

namespace offgrid::emu::ptx {
namespace {

/// One register of the running lane, by its number among all of the instruction's.
std::uint32_t word(const Machine& m, const Instruction& i, unsigned n) {
  const unsigned slot = i.registers[n];
  if (m.is_checked()) m.seen.add(m.taints[slot]);
  return static_cast<std::uint32_t>(m.slots[slot]);
}
void set_word(Machine& m, const Instruction& i, unsigned n, std::uint32_t value) {
  const unsigned slot = i.registers[n];
  m.slots[slot] = value;
  if (m.is_checked()) m.taints[slot] = m.seen;
}

using Compute = void (*)(const Instruction& i, unsigned words, TensorTile& tile);

void multiply_floats(const Instruction& i, unsigned words, TensorTile& tile) {
  const TensorFormat format = i.source_type == Type::kF16    ? TensorFormat::kFp16
                              : i.source_type == Type::kBf16 ? TensorFormat::kBf16
                                                             : TensorFormat::kTf32;
  const TensorResult result = i.type == Type::kF16 ? TensorResult::kHalf : TensorResult::kFloat;
  tensor_multiply({format, format, result}, words, tile);
}
void multiply_fp8(const Instruction& i, unsigned, TensorTile& tile) {
  const auto format = [](Type type) { return type == Type::kE4m3 ? TensorFormat::kE4m3 : TensorFormat::kE5m2; };
  tensor_multiply_fp8(format(i.source_type), format(i.second_type), tile);
}
void multiply_integers(const Instruction& i, unsigned words, TensorTile& tile) {
  tensor_multiply_integers({i.source_type == Type::kS8, i.second_type == Type::kS8, i.flags.sat}, words, tile);
}

/// d, a, b, c in ARegisters and BRegisters words a lane; c and d are words each, or with IsHalf pairs of halves.
template <unsigned ARegisters, unsigned BRegisters, bool IsHalf, Compute Computed>
void multiply(Machine& m, const Instruction& i) {
  constexpr unsigned kRowHalves = ARegisters == 1 ? 1 : 2, kResults = IsHalf ? kRowHalves : 2 * kRowHalves;
  Exchange& exchange = begin_exchange(m, i);
  TensorTile& tile = exchange.tile;
  const unsigned lane = offgrid_tls.lane->index, g = lane / 4, t = lane % 4;
  unsigned n = kResults;
  for (unsigned k = 0; k < ARegisters; ++k) tile.a[t + k / 2 * 4][g + k % 2 * 8] = word(m, i, n++);
  for (unsigned k = 0; k < BRegisters; ++k) tile.b[g][t + k * 4] = word(m, i, n++);
  for (unsigned k = 0; k < kResults; ++k) {
    const std::uint32_t bits = word(m, i, n++);
    if constexpr (IsHalf) {
      tile.c[2 * t][g + 8 * k] = bits & 0xFFFF;
      tile.c[2 * t + 1][g + 8 * k] = bits >> 16;
    } else {
      tile.c[2 * t + k % 2][g + k / 2 * 8] = bits;
    }
  }
  if (meet(m, i, exchange)) Computed(i, 4 * BRegisters, tile);
  see_all(m, exchange);
  for (unsigned k = 0; k < kResults; ++k) {
    if constexpr (IsHalf) {
      set_word(m, i, k, tile.d[2 * t][g + 8 * k] | tile.d[2 * t + 1][g + 8 * k] << 16);
    } else {
      set_word(m, i, k, tile.d[2 * t + k % 2][g + k / 2 * 8]);
    }
  }
}

/// d, a, b, c of doubles: Rows (8 or 16) by Depth.
template <unsigned Rows, unsigned Depth>
void multiply_doubles(Machine& m, const Instruction& i) {
  constexpr unsigned kRowHalves = Rows / 8, kResults = 2 * kRowHalves;
  Exchange& exchange = begin_exchange(m, i);
  TensorTileF64& tile = exchange.doubles;
  const unsigned lane = offgrid_tls.lane->index, g = lane / 4, t = lane % 4;
  const auto number = [&](std::size_t operand, unsigned k) { return read<double>(m, part_of(i.operands[operand], k)); };
  for (unsigned k = 0; k < kRowHalves * Depth / 4; ++k) {
    tile.a[t + k / kRowHalves * 4][g + k % kRowHalves * 8] = number(1, k);
  }
  for (unsigned k = 0; k < Depth / 4; ++k) tile.b[g][t + k * 4] = number(2, k);
  for (unsigned k = 0; k < kResults; ++k) tile.c[2 * t + k % 2][g + k / 2 * 8] = number(3, k);
  if (meet(m, i, exchange)) tensor_multiply_f64(Depth, Rows, tile);
  see_all(m, exchange);
  for (unsigned k = 0; k < kResults; ++k) {
    write(m, part_of(i.operands[0], k), tile.d[2 * t + k % 2][g + k / 2 * 8]);
  }
}

/// An instruction: its shape, types, registers a lane in d (and c), a and b, and handler.
struct Row {
  const char* shape;
  Type result, a;
  unsigned results, a_registers, b_registers;
  Handler handler;
};

constexpr Row kRows[] = {
    {"m16n8k16", Type::kF32, Type::kF16, 4, 4, 2, &multiply<4, 2, false, &multiply_floats>},
    {"m16n8k16", Type::kF32, Type::kBf16, 4, 4, 2, &multiply<4, 2, false, &multiply_floats>},
    {"m16n8k16", Type::kF16, Type::kF16, 2, 4, 2, &multiply<4, 2, true, &multiply_floats>},
    {"m16n8k8", Type::kF32, Type::kF16, 4, 2, 1, &multiply<2, 1, false, &multiply_floats>},
    {"m16n8k8", Type::kF32, Type::kBf16, 4, 2, 1, &multiply<2, 1, false, &multiply_floats>},
    {"m16n8k8", Type::kF16, Type::kF16, 2, 2, 1, &multiply<2, 1, true, &multiply_floats>},
    {"m16n8k8", Type::kF32, Type::kTf32, 4, 4, 2, &multiply<4, 2, false, &multiply_floats>},
    {"m16n8k4", Type::kF32, Type::kTf32, 4, 2, 1, &multiply<2, 1, false, &multiply_floats>},
    {"m16n8k32", Type::kF32, Type::kE4m3, 4, 4, 2, &multiply<4, 2, false, &multiply_fp8>},
    {"m16n8k32", Type::kF32, Type::kE5m2, 4, 4, 2, &multiply<4, 2, false, &multiply_fp8>},
    {"m16n8k32", Type::kS32, Type::kS8, 4, 4, 2, &multiply<4, 2, false, &multiply_integers>},
    {"m16n8k32", Type::kS32, Type::kU8, 4, 4, 2, &multiply<4, 2, false, &multiply_integers>},
    {"m16n8k16", Type::kS32, Type::kS8, 4, 2, 1, &multiply<2, 1, false, &multiply_integers>},
    {"m16n8k16", Type::kS32, Type::kU8, 4, 2, 1, &multiply<2, 1, false, &multiply_integers>},
    {"m8n8k16", Type::kS32, Type::kS8, 2, 1, 1, &multiply<1, 1, false, &multiply_integers>},
    {"m8n8k16", Type::kS32, Type::kU8, 2, 1, 1, &multiply<1, 1, false, &multiply_integers>},
    {"m8n8k4", Type::kF64, Type::kF64, 2, 1, 1, &multiply_doubles<8, 4>},
    {"m16n8k4", Type::kF64, Type::kF64, 4, 2, 1, &multiply_doubles<16, 4>},
    {"m16n8k8", Type::kF64, Type::kF64, 4, 4, 2, &multiply_doubles<16, 8>},
    {"m16n8k16", Type::kF64, Type::kF64, 4, 8, 4, &multiply_doubles<16, 16>},
};

bool is_fp8(Type type) { return type == Type::kE4m3 || type == Type::kE5m2; }
bool is_byte(Type type) { return type == Type::kS8 || type == Type::kU8; }

/// All operands' slots in their order. False if one is no register.
bool list_registers(Instruction& i) {
  for (const Operand& o : i.operands) {
    for (std::size_t n = 0; n < size_of(o); ++n) {
      const Operand& part = part_of(o, n);
      if (part.kind != OperandKind::kSlot || part.negated) return false;
      i.registers.push_back(part.slot);
    }
  }
  return true;
}

Handler choose_mma(Instruction& i, Modifiers& m) {
  if (!m.take("sync") || !m.take("aligned") || !m.take("row") || !m.take("col") || i.operands.size() != 4)
    return nullptr;
  i.flags.sat = m.take("satfinite");
  i.type = m.take_type();
  i.source_type = m.take_type();
  i.second_type = m.take_type();
  if (m.take_type() != i.type || (i.flags.sat && i.type != Type::kS32)) return nullptr;
  const bool may_differ =
      (is_fp8(i.source_type) && is_fp8(i.second_type)) || (is_byte(i.source_type) && is_byte(i.second_type));
  if (i.source_type != i.second_type && !may_differ) return nullptr;
  const Row* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) {
    return r.result == i.type && r.a == i.source_type && m.take(r.shape);
  });
  if (row == std::end(kRows)) return nullptr;
  const bool sizes = size_of(i.operands[0]) == row->results && size_of(i.operands[3]) == row->results &&
                     size_of(i.operands[1]) == row->a_registers && size_of(i.operands[2]) == row->b_registers;
  return sizes && list_registers(i) ? row->handler : nullptr;
}

}  // namespace

std::vector<MnemonicRow> multiply_mnemonics() { return {{"mma", choose_mma}}; }

}  // namespace offgrid::emu::ptx
