// Matrices of a warp: mma.sync, ldmatrix, stmatrix, movmatrix. Lane 4 g + t holds the parts that the PTX ISA gives it.
#include <offgrid/emu/device/vote.h>
#include <offgrid/emu/engine/trap.h>
#include <offgrid/emu/numerics/tensor_core.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "engine/state.h"
#include "ptx/address.h"
#include "ptx/checks.h"
#include "ptx/machine.h"
#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {
namespace {

constexpr LaneMask kAllLanes = 0xffffffff;

int line_of(const Machine& m) { return static_cast<int>(m.where.line); }

/// What the lanes of a warp lay out for each other. Two of them in turn: a lane can be one operation ahead of another,
/// never two.
struct Exchange {
  std::uint32_t words[kMaxWarpLanes][12];
  Taint taints[kMaxWarpLanes];
  std::uint32_t results[16][8];
  bool computed = false;
};
struct WarpExchange {
  const Warp* warp = nullptr;
  std::uint64_t launch = 0, block = 0;
  Exchange sides[2];
  std::uint64_t operations[kMaxWarpLanes] = {};
};

/// The record of the lane's warp, one of its worker's. A warp's memory serves block after block: each begins anew.
WarpExchange& exchange_of(const Lane& lane) {
  static thread_local std::vector<std::unique_ptr<WarpExchange>> warps;
  static thread_local WarpExchange* last = nullptr;
  if (!last || last->warp != lane.warp) {
    const auto known = std::find_if(warps.begin(), warps.end(), [&](const auto& w) { return w->warp == lane.warp; });
    if (known != warps.end()) {
      last = known->get();
    } else {
      last = warps.emplace_back(std::make_unique<WarpExchange>()).get();
    }
    last->warp = lane.warp;
  }
  const ResidentBlock& block = resident(lane.warp->block);
  if (last->launch != block.launch->number || last->block != block.linear_index) {
    last->launch = block.launch->number;
    last->block = block.linear_index;
    std::fill(std::begin(last->operations), std::end(last->operations), 0);
  }
  return *last;
}

/// All lanes of the warp meet; afterwards each sees what the others have laid out before.
void meet(Machine& m) { offgrid_vote(kAllLanes, true, m.where.file, line_of(m)); }

/// This lane's side of the operation that it is in, with `count` words of it laid out.
Exchange& lay_out(Machine& m, const std::uint32_t* words, unsigned count) {
  const Lane& lane = *offgrid_tls.lane;
  if (offgrid_tls.block->warp_size != 32) {
    lane_trap(FindingId::kUnsupported, "a matrix operation on a device whose warps do not have 32 lanes", m.where);
  }
  WarpExchange& warp = exchange_of(lane);
  Exchange& side = warp.sides[warp.operations[lane.index]++ % 2];
  std::memcpy(side.words[lane.index], words, count * sizeof *words);
  side.taints[lane.index] = m.seen;
  side.computed = false;
  meet(m);
  return side;
}

/// What comes out depends on what all lanes gave.
void see_all(Machine& m, const Exchange& side) {
  if (!m.is_checked()) return;
  m.seen = {};
  for (unsigned lane = 0; lane < 32; ++lane) m.seen.add(side.taints[lane]);
}

void read_words(Machine& m, const Operand& o, std::uint32_t* words) {
  if (o.kind != OperandKind::kVector) {
    *words = read<std::uint32_t>(m, o);
    return;
  }
  for (std::size_t i = 0; i < o.parts.size(); ++i) words[i] = read<std::uint32_t>(m, o.parts[i]);
}

std::size_t size_of(const Operand& o) { return o.kind == OperandKind::kVector ? o.parts.size() : 1; }

/// `mma.sync m16n8k16 / m16n8k8` of 16-bit types with float32 sums: d, a, b, c.
void multiply(Machine& m, const Instruction& i) {
  const unsigned depth = i.flags.variant == 'w' ? 16 : 8, a_words = depth / 4, b_words = depth / 8;
  std::uint32_t words[12];
  read_words(m, i.operands[1], words);
  read_words(m, i.operands[2], words + a_words);
  read_words(m, i.operands[3], words + a_words + b_words);
  Exchange& side = lay_out(m, words, a_words + b_words + 4);
  if (!side.computed) {
    std::uint16_t a[16 * 16], b[8 * 16];
    std::uint32_t c[16 * 8];
    const auto put = [](std::uint16_t* to, std::uint32_t pair) {
      to[0] = static_cast<std::uint16_t>(pair);
      to[1] = static_cast<std::uint16_t>(pair >> 16);
    };
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned g = lane / 4, t = lane % 4;
      const std::uint32_t* w = side.words[lane];
      for (unsigned k = 0; k < a_words; ++k) put(a + (g + k % 2 * 8) * depth + k / 2 * 8 + 2 * t, w[k]);
      for (unsigned k = 0; k < b_words; ++k) put(b + g * depth + k * 8 + 2 * t, w[a_words + k]);
      for (unsigned k = 0; k < 4; ++k) c[(g + k / 2 * 8) * 8 + 2 * t + k % 2] = w[a_words + b_words + k];
    }
    const TensorFormat format = i.type == Type::kBf16 ? TensorFormat::kBf16 : TensorFormat::kFp16;
    tensor_multiply_add(format, depth, a, b, c, &side.results[0][0]);
    side.computed = true;
  }
  const unsigned g = offgrid_tls.lane->index / 4, t = offgrid_tls.lane->index % 4;
  see_all(m, side);
  for (unsigned k = 0; k < 4; ++k) write(m, i.operands[0].parts[k], side.results[g + k / 2 * 8][2 * t + k % 2]);
}

Handler choose_mma(Instruction& i, Modifiers& m) {
  if (!m.take("sync") || !m.take("aligned") || i.operands.size() != 4) return nullptr;
  i.flags.variant = m.take_one_of("wn", {"m16n8k16", "m16n8k8"});
  if (!i.flags.variant || !m.take("row") || !m.take("col") || m.take_type() != Type::kF32) return nullptr;
  i.type = m.take_type();
  if ((i.type != Type::kBf16 && i.type != Type::kF16) || m.take_type() != i.type || m.take_type() != Type::kF32) {
    return nullptr;
  }
  const std::size_t a = i.flags.variant == 'w' ? 4 : 2;
  const bool sizes = size_of(i.operands[0]) == 4 && size_of(i.operands[1]) == a && size_of(i.operands[2]) == a / 2 &&
                     size_of(i.operands[3]) == 4;
  return sizes ? &multiply : nullptr;
}

/// Row r of matrix n is where lane 8 n + r points.
const unsigned char* row_of(Exchange& side, unsigned matrix, unsigned row) {
  return static_cast<const unsigned char*>(shared_pointer(side.words[8 * matrix + row][0]));
}

void require_aligned(Machine& m, std::uint32_t address) {
  if (address % 16 == 0) return;
  lane_report(FindingId::kMisaligned,
              "row of a matrix at shared address " + std::to_string(address) + ", which is no multiple of 16", m.where);
}

/// The address of this lane's row, laid out for all.
Exchange& give_row(Machine& m, const Operand& address, std::size_t matrices) {
  const auto row = static_cast<std::uint32_t>(address_bits(m, address));
  use(m);
  if (offgrid_tls.lane->index < 8 * matrices) require_aligned(m, row);
  m.seen = {};
  return lay_out(m, &row, 1);
}

void load_matrices(Machine& m, const Instruction& i) {
  const std::size_t matrices = size_of(i.operands[0]);
  Exchange& side = give_row(m, i.operands[1], matrices);
  const unsigned g = offgrid_tls.lane->index / 4, t = offgrid_tls.lane->index % 4;
  std::uint32_t words[4];
  for (unsigned n = 0; n < matrices; ++n) {
    const auto element = [&](unsigned row, unsigned column) {
      const unsigned char* from = row_of(side, n, row) + 2 * column;
      check_load(m, from, 2, false);
      std::uint16_t value;
      std::memcpy(&value, from, 2);
      return std::uint32_t{value};
    };
    if (i.flags.variant == 't') {
      words[n] = element(2 * t, g) | element(2 * t + 1, g) << 16;
    } else {
      const unsigned char* from = row_of(side, n, g) + 4 * t;
      check_load(m, from, 4, false);
      std::memcpy(&words[n], from, 4);
    }
  }
  const Operand& to = i.operands[0];
  if (to.kind != OperandKind::kVector) return write(m, to, words[0]);
  for (unsigned n = 0; n < matrices; ++n) write(m, to.parts[n], words[n]);
}

void store_matrices(Machine& m, const Instruction& i) {
  const std::size_t matrices = size_of(i.operands[1]);
  std::uint32_t words[4];
  Exchange& side = give_row(m, i.operands[0], matrices);
  read_words(m, i.operands[1], words);
  const unsigned g = offgrid_tls.lane->index / 4, t = offgrid_tls.lane->index % 4;
  for (unsigned n = 0; n < matrices; ++n) {
    if (i.flags.variant == 't') {
      for (unsigned k = 0; k < 2; ++k) {
        auto* to = const_cast<unsigned char*>(row_of(side, n, 2 * t + k)) + 2 * g;
        check_store(m, to, 2, false);
        const auto value = static_cast<std::uint16_t>(words[n] >> (16 * k));
        std::memcpy(to, &value, 2);
      }
    } else {
      auto* to = const_cast<unsigned char*>(row_of(side, n, g)) + 4 * t;
      check_store(m, to, 4, false);
      std::memcpy(to, &words[n], 4);
    }
  }
}

Handler choose_matrices(Instruction& i, Modifiers& m, std::size_t registers, Handler handler) {
  if (!m.take("sync") || !m.take("aligned") || !m.take("m8n8") || i.operands.size() != 2) return nullptr;
  const char count = m.take_one_of("124", {"x1", "x2", "x4"});
  i.flags.variant = m.take("trans") ? 't' : 'n';
  if (!m.take("shared") && !m.take("shared::cta")) return nullptr;
  if (!count || !m.take("b16") || !is_address(i.operands[1 - registers])) return nullptr;
  return size_of(i.operands[registers]) == static_cast<std::size_t>(count - '0') ? handler : nullptr;
}
Handler choose_ldmatrix(Instruction& i, Modifiers& m) { return choose_matrices(i, m, 0, &load_matrices); }
Handler choose_stmatrix(Instruction& i, Modifiers& m) { return choose_matrices(i, m, 1, &store_matrices); }

/// Transposes an 8 x 8 matrix in registers.
void move_matrix(Machine& m, const Instruction& i) {
  const std::uint32_t word = read<std::uint32_t>(m, i.operands[1]);
  Exchange& side = lay_out(m, &word, 1);
  const unsigned g = offgrid_tls.lane->index / 4, t = offgrid_tls.lane->index % 4;
  const auto element = [&](unsigned row, unsigned column) {
    return side.words[row * 4 + column / 2][0] >> (column % 2 * 16) & 0xffff;
  };
  see_all(m, side);
  write(m, i.operands[0], element(2 * t, g) | element(2 * t + 1, g) << 16);
}
Handler choose_movmatrix(Instruction& i, Modifiers& m) {
  const bool known = m.take("sync") && m.take("aligned") && m.take("m8n8") && m.take("trans") && m.take("b16");
  return known && i.operands.size() == 2 ? &move_matrix : nullptr;
}

}  // namespace

std::vector<MnemonicRow> matrix_mnemonics() {
  return {{"mma", choose_mma},
          {"ldmatrix", choose_ldmatrix},
          {"stmatrix", choose_stmatrix},
          {"movmatrix", choose_movmatrix}};
}

}  // namespace offgrid::emu::ptx
