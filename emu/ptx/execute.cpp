#include <offgrid/emu/engine/collectives.h>
#include <offgrid/emu/engine/trap.h>
#include <offgrid/emu/ptx/execute.h>

#include <algorithm>

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

void run_program(const Program& program, Machine& machine) {
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

[[gnu::noinline]] void run_on_heap(const Program& program, Machine& machine, std::uint64_t* registers) {
  std::vector<std::uint64_t> all(program.slots);
  machine.slots = all.data();
  std::copy_n(registers, program.operands, all.begin());
  run_program(program, machine);
  std::copy_n(all.begin(), program.operands, registers);
}

/// With the statement's registers in front, in place if there are no others.
void run_on(const Program& program, Machine& machine, std::uint64_t* registers) {
  if (program.slots == program.operands) {
    machine.slots = registers;
    return run_program(program, machine);
  }
  constexpr unsigned kFewSlots = 48;
  if (program.slots > kFewSlots) return run_on_heap(program, machine, registers);
  std::uint64_t few[kFewSlots];
  machine.slots = few;
  std::copy_n(registers, program.operands, few);
  run_program(program, machine);
  std::copy_n(few, program.operands, registers);
}

/// Definedness of the registers is found at them in memory, and left there.
[[gnu::noinline]] void run_checked(const Program& program, Machine& machine, std::uint64_t* registers) {
  std::vector<Taint> taints(program.slots + 1);
  for (unsigned i = 0; i < program.operands; ++i) taints[i].add_memory(&registers[i], sizeof registers[i]);
  machine.taints = taints.data();
  run_on(program, machine, registers);
  for (unsigned i = 0; i < program.operands; ++i) taints[i].wrote(&registers[i], sizeof registers[i]);
}

}  // namespace

bool checked_is_prepared(const Site& site) noexcept { return __atomic_load_n(&site.program, __ATOMIC_ACQUIRE); }

/// Of several lanes on several workers that parse a statement at once, the first to finish gives the program.
void prepare(Site& site, const char* text, const AsmOperand* operands, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    if (constraint_letter(operands[i].constraint) == 'q') {
      lane_trap(FindingId::kUnsupported, "inline PTX with a 128-bit operand is not modelled", site.where);
    }
  }
  auto parsed = parse(text, operands, count);
  const Program* expected = nullptr;
  if (__atomic_compare_exchange_n(&site.program, &expected, static_cast<const Program*>(parsed.get()), false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    parsed.release();
  }
}

void run(const Site& site, const SourceLine& where, std::uint64_t* registers) {
  const Program& program = *site.program;
  Machine machine;
  machine.where = where;
  if (observer && offgrid_tls.lane) {
    machine.pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    return run_checked(program, machine, registers);
  }
  run_on(program, machine, registers);
}

}  // namespace detail
}  // namespace offgrid::emu::ptx
