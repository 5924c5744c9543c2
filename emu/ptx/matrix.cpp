// Matrices of 8 x 8 halves: ldmatrix, stmatrix, movmatrix. Lane 4 g + t holds the parts that the PTX ISA gives it.
#include <offgrid/emu/engine/trap.h>

#include <cstring>
#include <string>

#include "engine/state.h"
#include "ptx/address.h"
#include "ptx/checks.h"
#include "ptx/machine.h"
#include "ptx/mnemonics.h"
#include "ptx/warp_exchange.h"

namespace offgrid::emu::ptx {
namespace {

/// Row r of matrix n is where lane 8 n + r points.
unsigned char* row_of(const Exchange& exchange, unsigned matrix, unsigned row) {
  return static_cast<unsigned char*>(shared_pointer(exchange.words[8 * matrix + row]));
}

void require_aligned(Machine& m, std::uint32_t address) {
  if (address % 16 == 0) return;
  lane_report(FindingId::kMisaligned,
              "row of a matrix at shared address " + std::to_string(address) + ", which is no multiple of 16", m.where);
}

/// Lays out the address of this lane's row.
Exchange& give_row(Machine& m, const Instruction& i, const Operand& address, std::size_t matrices) {
  const auto row = static_cast<std::uint32_t>(address_bits(m, address));
  use(m);
  if (offgrid_tls.lane->index < 8 * matrices) require_aligned(m, row);
  m.seen = {};
  Exchange& exchange = begin_exchange(m, i);
  exchange.words[offgrid_tls.lane->index] = row;
  return exchange;
}

void load_rows(Exchange& exchange, std::size_t matrices) {
  for (unsigned n = 0; n < matrices; ++n) {
    for (unsigned row = 0; row < 8; ++row) std::memcpy(exchange.matrices[n][row], row_of(exchange, n, row), 16);
  }
}

/// The lane that meets first reads for all, so that nobody who runs ahead can change what is read.
void load_matrices(Machine& m, const Instruction& i) {
  const std::size_t matrices = size_of(i.operands[0]);
  Exchange& exchange = give_row(m, i, i.operands[1], matrices);
  if (meet(m, i, exchange)) load_rows(exchange, matrices);
  const unsigned g = offgrid_tls.lane->index / 4, t = offgrid_tls.lane->index % 4;
  for (unsigned n = 0; n < matrices; ++n) {
    const auto element = [&](unsigned row, unsigned column) {
      if (m.is_checked()) check_load(m, row_of(exchange, n, row) + 2 * column, 2, std::nullopt);
      return std::uint32_t{exchange.matrices[n][row][column]};
    };
    m.seen = {};
    std::uint32_t word;
    if (i.flags.variant == 't') {
      word = element(2 * t, g) | element(2 * t + 1, g) << 16;
    } else {
      if (m.is_checked()) check_load(m, row_of(exchange, n, g) + 4 * t, 4, std::nullopt);
      std::memcpy(&word, &exchange.matrices[n][g][2 * t], 4);
    }
    write(m, part_of(i.operands[0], n), word);
  }
}

void store_matrices(Machine& m, const Instruction& i) {
  const std::size_t matrices = size_of(i.operands[1]);
  Exchange& exchange = give_row(m, i, i.operands[0], matrices);
  meet(m, i, exchange);
  const unsigned g = offgrid_tls.lane->index / 4, t = offgrid_tls.lane->index % 4;
  for (unsigned n = 0; n < matrices; ++n) {
    m.seen = {};
    const std::uint32_t word = read<std::uint32_t>(m, part_of(i.operands[1], n));
    if (i.flags.variant == 't') {
      for (unsigned k = 0; k < 2; ++k) {
        unsigned char* to = row_of(exchange, n, 2 * t + k) + 2 * g;
        check_store(m, to, 2, std::nullopt);
        const auto value = static_cast<std::uint16_t>(word >> (16 * k));
        std::memcpy(to, &value, 2);
      }
    } else {
      unsigned char* to = row_of(exchange, n, g) + 4 * t;
      check_store(m, to, 4, std::nullopt);
      std::memcpy(to, &word, 4);
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
  Exchange& exchange = begin_exchange(m, i);
  exchange.words[offgrid_tls.lane->index] = read<std::uint32_t>(m, i.operands[1]);
  meet(m, i, exchange);
  const unsigned g = offgrid_tls.lane->index / 4, t = offgrid_tls.lane->index % 4;
  const auto element = [&](unsigned row, unsigned column) {
    return exchange.words[row * 4 + column / 2] >> (column % 2 * 16) & 0xffff;
  };
  see_all(m, exchange);
  write(m, i.operands[0], element(2 * t, g) | element(2 * t + 1, g) << 16);
}
Handler choose_movmatrix(Instruction& i, Modifiers& m) {
  const bool known = m.take("sync") && m.take("aligned") && m.take("m8n8") && m.take("trans") && m.take("b16");
  return known && i.operands.size() == 2 ? &move_matrix : nullptr;
}

}  // namespace

std::vector<MnemonicRow> matrix_mnemonics() {
  return {{"ldmatrix", choose_ldmatrix}, {"stmatrix", choose_stmatrix}, {"movmatrix", choose_movmatrix}};
}

}  // namespace offgrid::emu::ptx
