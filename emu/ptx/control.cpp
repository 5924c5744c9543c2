// Control: barriers, fences, branches, traps.
#include <offgrid/emu/device/barrier.h>
#include <offgrid/emu/device/control.h>
#include <offgrid/emu/engine/named_barrier.h>

#include "ptx/checks.h"
#include "ptx/cluster.h"
#include "ptx/machine.h"
#include "ptx/memory_order.h"
#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {
namespace {

/// `bar.sync id, threads`: the block's barrier, or one of some of its threads.
void block_barrier(Machine& m, const Instruction& i) {
  const Block& block = *offgrid_tls.block;
  const std::uint32_t id = i.operands.empty() ? 0 : read<std::uint32_t>(m, i.operands[0]);
  const std::uint32_t threads = i.operands.size() > 1 ? read<std::uint32_t>(m, i.operands[1]) : 0;
  use(m);
  const int line = static_cast<int>(m.where.line);
  const bool whole = threads == 0 || threads == block.dim[0] * block.dim[1] * block.dim[2];
  if (id == 0 && whole) {
    offgrid_block_barrier(false, m.where.file, line);
  } else {
    named_barrier(id, threads, m.where.file, line);
  }
}
void barrier_arrival(Machine& m, const Instruction& i) {
  const std::uint32_t id = read<std::uint32_t>(m, i.operands[0]), threads = read<std::uint32_t>(m, i.operands[1]);
  use(m);
  arrive_at_named_barrier(id, threads, m.where.file, static_cast<int>(m.where.line));
}
void warp_barrier(Machine& m, const Instruction& i) {
  const LaneMask mask = read<std::uint32_t>(m, i.operands[0]);
  const int line = static_cast<int>(m.where.line);
  if (!m.is_checked()) return offgrid_warp_barrier(mask, m.where.file, line);
  const Handover handover = checked_warp_barrier_arrive(mask, m.where.file, line);
  if (handover.to) switch_context_numbers(handover.from, handover.to);
}
Handler choose_bar(Instruction& i, Modifiers& m) {
  if (m.take("cluster")) return choose_cluster_barrier(i, m);
  m.take("cta");
  m.take("aligned");
  if (m.take("arrive")) return i.operands.size() == 2 ? &barrier_arrival : nullptr;
  const bool warp = m.take("warp");
  if (!m.take("sync")) return nullptr;
  if (warp) return i.operands.size() == 1 ? &warp_barrier : nullptr;
  return &block_barrier;
}

void fence(Machine& m, const Instruction& i) { release(m, i); }
Handler choose_fence(Instruction& i, Modifiers& m) {
  read_memory_order(i, m);
  i.flags.releases = true;
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
