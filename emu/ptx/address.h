/// Address operands and state spaces.
#pragma once

#include <offgrid/emu/device/address_space.h>

#include "ptx/checks.h"
#include "ptx/machine.h"
#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {

/// True for `[register + offset]`; names of variables cannot be resolved.
inline bool is_address(const Operand& o) {
  return o.kind == OperandKind::kAddress &&
         (o.parts[0].kind == OperandKind::kSlot || o.parts[0].kind == OperandKind::kImmediate);
}

inline std::uint64_t address_bits(const Machine& m, const Operand& o) {
  std::uint64_t sum = static_cast<std::uint64_t>(o.offset);
  for (const Operand& part : o.parts) sum += read<std::uint64_t>(m, part);
  return sum;
}
/// Before other operands are read, as an undefined address is a use.
inline void* generic_operand(Machine& m, const Operand& o) {
  const std::uint64_t bits = address_bits(m, o);
  use(m);
  return reinterpret_cast<void*>(bits);
}
inline void* shared_operand(Machine& m, const Operand& o) {
  const std::uint64_t bits = address_bits(m, o);
  use(m);
  return shared_pointer(static_cast<std::uint32_t>(bits));
}
inline void* address_of(Machine& m, const Instruction& i, const Operand& o) {
  return i.flags.shared ? shared_operand(m, o) : generic_operand(m, o);
}

/// Takes the state space; everything but shared memory has generic addresses.
inline void read_space(Instruction& i, Modifiers& m) {
  i.flags.shared = m.take("shared") || m.take("shared::cta") || m.take("shared::cluster");
  for (const char* space : {"global", "local", "const", "param", "generic"}) m.take(space);
}

}  // namespace offgrid::emu::ptx
