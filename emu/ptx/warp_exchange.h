/// Instructions that a warp's 32 lanes execute together on what all of them bring: mma, ldmatrix and their kin.
///
/// A lane lays out its part in the exchange, meets the others, and finds there what all have laid out. The first that
/// runs on does what has to be done once.
#pragma once

#include <offgrid/emu/numerics/tensor_tile.h>

#include <cstdint>

#include "ptx/machine.h"

namespace offgrid::emu::ptx {

inline constexpr unsigned kExchangeLanes = 32;

struct Exchange {
  TensorTile tile;
  TensorTileF64 doubles;
  std::uint32_t words[kExchangeLanes];
  std::uint16_t matrices[4][8][8];  ///< [matrix, row, column]
  Taint taints[kExchangeLanes];     ///< checked mode: of what each lane brings
  std::uint64_t arrivals[kExchangeLanes];
  bool is_met = false;  ///< the first lane has run on
};

/// Where the running lane lays out its part of the instruction. Two exchanges take turns: a lane can be one operation
/// ahead of another, never two.
Exchange& begin_exchange(const Machine& m, const Instruction& instruction);

/// All lanes of the warp meet. True for the first that runs on. Reports a warp that is not whole, and lanes that
/// execute another instruction.
bool meet(Machine& m, const Instruction& instruction, Exchange& exchange);

/// In checked mode: what comes out depends on what all lanes brought.
inline void see_all(Machine& m, const Exchange& exchange) {
  if (!m.is_checked()) return;
  m.seen = {};
  for (const Taint& taint : exchange.taints) m.seen.add(taint);
}

/// A register, or a vector of them.
inline std::size_t size_of(const Operand& o) { return o.kind == OperandKind::kVector ? o.parts.size() : 1; }
inline const Operand& part_of(const Operand& o, std::size_t n) {
  return o.kind == OperandKind::kVector ? o.parts[n] : o;
}

}  // namespace offgrid::emu::ptx
