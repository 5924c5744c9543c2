// Control: barriers, fences, branches, traps.
#include <offgrid/emu/device/barrier.h>
#include <offgrid/emu/device/control.h>

#include "ptx/machine.h"
#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {
namespace {

/// Barrier 0 of the whole block; others, and barriers of fewer threads, are not modelled.
void block_barrier(Machine& m, const Instruction& i) {
  const Block& block = *offgrid_tls.block;
  const std::uint32_t threads = block.dim[0] * block.dim[1] * block.dim[2];
  if (!i.operands.empty() && read<std::uint32_t>(m, i.operands[0]) != 0) unsupported(m, i);
  if (i.operands.size() > 1 && read<std::uint32_t>(m, i.operands[1]) != threads) unsupported(m, i);
  offgrid_block_barrier(false, m.where.file, static_cast<int>(m.where.line));
}
void warp_barrier(Machine& m, const Instruction& i) {
  const LaneMask mask = read<std::uint32_t>(m, i.operands[0]);
  const int line = static_cast<int>(m.where.line);
  if (!m.is_checked()) return offgrid_warp_barrier(mask, m.where.file, line);
  const Handover handover = checked_warp_barrier_arrive(mask, m.where.file, line);
  if (handover.to) switch_context_numbers(handover.from, handover.to);
}
Handler choose_bar(Instruction& i, Modifiers& m) {
  m.take("cta");
  m.take("aligned");
  const bool warp = m.take("warp");
  if (!m.take("sync")) return nullptr;
  if (warp) return i.operands.size() == 1 ? &warp_barrier : nullptr;
  return &block_barrier;
}

void fence(Machine& m, const Instruction&) {
  __threadfence();
  if (m.is_checked()) checked_fence(AtomicScope::kDevice);
}
Handler choose_fence(Instruction&, Modifiers& m) {
  m.drop_prefixed("");
  return &fence;
}
void nothing(Machine&, const Instruction&) {}
Handler choose_nothing(Instruction&, Modifiers& m) {
  m.drop_prefixed("");
  return &nothing;
}

void branch(Machine& m, const Instruction& i) {
  if (i.target < m.next) take_turn();
  m.next = i.target;
}
Handler choose_bra(Instruction& i, Modifiers& m) {
  m.take("uni");
  return i.operands.size() == 1 && i.operands[0].kind == OperandKind::kLabel ? &branch : nullptr;
}

void trap(Machine& m, const Instruction&) { kernel_trap("trap", m.where.file, static_cast<int>(m.where.line)); }
Handler choose_trap(Instruction&, Modifiers&) { return &trap; }
void nanosleep(Machine&, const Instruction&) { yield_lane(); }
Handler choose_nanosleep(Instruction&, Modifiers& m) { return m.take("u32") ? &nanosleep : nullptr; }

}  // namespace

std::vector<MnemonicRow> control_mnemonics() {
  return {
      {"bar", choose_bar},         {"barrier", choose_bar},           {"membar", choose_fence}, {"fence", choose_fence},
      {"bra", choose_bra},         {"nanosleep", choose_nanosleep},   {"trap", choose_trap},    {"brkpt", choose_trap},
      {"pmevent", choose_nothing}, {"griddepcontrol", choose_nothing}};
}

}  // namespace offgrid::emu::ptx
