#include <offgrid/emu/engine/collectives.h>
#include <offgrid/emu/engine/trap.h>
#include <offgrid/emu/ptx/execute.h>

#include "ptx/checks.h"
#include "ptx/machine.h"
#include "ptx/parser.h"

namespace offgrid::emu::ptx {

thread_local bool carry_flag = false;

void unsupported(const Machine& machine, const Instruction& instruction) {
  lane_trap(FindingId::kUnsupported, "inline PTX `" + instruction.text + "` is not modelled", machine.where);
}

namespace detail {
namespace {

/// The site's program; of several lanes on several workers that parse it at once, the first to finish gives it.
const Program& program_of(Site& site, const char* text, const AsmOperand* operands, unsigned count) {
  const Program* program = __atomic_load_n(&site.program, __ATOMIC_ACQUIRE);
  if (program) return *program;
  auto parsed = parse(text, operands, count);
  const Program* expected = nullptr;
  if (__atomic_compare_exchange_n(&site.program, &expected, static_cast<const Program*>(parsed.get()), false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return *parsed.release();
  }
  return *expected;
}

void run(const Program& program, Machine& machine) {
  while (machine.next < program.instructions.size()) {
    const Instruction& i = program.instructions[machine.next++];
    if (i.guard >= 0) {
      if (machine.is_checked()) {
        machine.seen = machine.taints[i.guard];
        use(machine);
      }
      if ((machine.slots[i.guard] != 0) == i.guard_negated) continue;
    }
    if (!i.handler) unsupported(machine, i);
    machine.seen = {};
    i.handler(machine, i);
  }
}

}  // namespace

void execute(Site& site, const char* text, AsmOperand* operands, unsigned count, const void* caller) {
  const Program& program = program_of(site, text, operands, count);
  constexpr unsigned kFewSlots = 48;
  std::uint64_t few[kFewSlots];
  std::vector<std::uint64_t> many;
  Machine machine;
  machine.slots = few;
  machine.where = site.where;
  if (program.slots > kFewSlots) {
    many.resize(program.slots);
    machine.slots = many.data();
  }
  for (unsigned i = 0; i < count; ++i) {
    if (constraint_letter(operands[i].constraint) == 'q') {
      lane_trap(FindingId::kUnsupported, "inline PTX with a 128-bit operand is not modelled", site.where);
    }
    machine.slots[i] = operands[i].bits;
  }
  std::vector<Taint> taints;
  if (observer && offgrid_tls.lane) {
    taints.resize(program.slots + 1);
    for (unsigned i = 0; i < count; ++i) taints[i].add_memory(&operands[i].bits, sizeof operands[i].bits);
    machine.taints = taints.data();
    machine.pc = reinterpret_cast<std::uintptr_t>(caller);
  }
  run(program, machine);
  for (unsigned i = 0; i < count; ++i) {
    if (!operands[i].target) continue;
    if (machine.is_checked()) {
      Taint().set_argument(0);
      taints[i].set_argument(1);
    }
    operands[i].store(operands[i].target, machine.slots[i]);
  }
}

}  // namespace detail
}  // namespace offgrid::emu::ptx
