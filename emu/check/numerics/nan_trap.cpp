#include "check/numerics/nan_trap.h"

#include <offgrid/emu/numerics/nan_tag.h>

#include "check/numerics/nan_events.h"
#include "engine/lane_callers.h"
#include "engine/state.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <ucontext.h>

#include <cstring>

namespace offgrid::emu {
namespace {

constexpr std::uint32_t kInvalidFlag = 1u << 0, kInvalidMask = 1u << 7;  // of MXCSR
constexpr greg_t kTrapFlag = 1 << 8;                                     // of RFLAGS

// How many exceptions are served; one costs 5 to 20 microseconds, the more in a virtual machine.
constexpr unsigned kPerTurn = 256;  // of a block's lanes, until the worker takes another block
constexpr unsigned kPerLaunch = 2000;
constexpr unsigned kPerProcess = 50000;

struct ThreadTrap {
  bool armed = false, stepping = false;
  unsigned left_in_turn = 0, left_in_launch = 0, served = 0;
  std::uint64_t launch = 0;
  NanCreation created;  // what the step makes
  unsigned tag = 0;     // 0: nothing of interest
};
thread_local constinit ThreadTrap trap;

MachineRegisters registers_of(ucontext_t& machine) {
  // In the order of machine code: rax rcx rdx rbx rsp rbp rsi rdi r8 ...
  static constexpr int kOrder[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                     REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  // Behind the 512 bytes of the FXSAVE form lies the XSAVE form's header, then the upper halves, if this marker says
  // so.
  constexpr std::size_t kMarkerAt = 464, kHeaderAt = 512, kUpperHalvesAt = 576;
  constexpr std::uint32_t kExtended = 0x46505853;
  constexpr std::uint64_t kAvxState = 4;

  MachineRegisters registers;
  for (std::size_t i = 0; i < 16; ++i)
    registers.general[i] = static_cast<std::uint64_t>(machine.uc_mcontext.gregs[kOrder[i]]);
  registers.pc = static_cast<std::uintptr_t>(machine.uc_mcontext.gregs[REG_RIP]);
  auto* state = reinterpret_cast<unsigned char*>(machine.uc_mcontext.fpregs);
  std::uint32_t marker;
  std::memcpy(&marker, state + kMarkerAt, sizeof marker);
  std::uint64_t present = 0;
  if (marker == kExtended) std::memcpy(&present, state + kHeaderAt, sizeof present);
  for (std::size_t i = 0; i < 16; ++i) {
    registers.low[i] = reinterpret_cast<unsigned char*>(&machine.uc_mcontext.fpregs->_xmm[i]);
    if (present & kAvxState) registers.high[i] = state + kUpperHalvesAt + 16 * i;
  }
  return registers;
}

unsigned note(const NanCreation& created, const MachineRegisters& registers) {
  NanEvent event;
  event.what = created;
  event.pc = registers.pc;
  const Lane& lane = *offgrid_tls.lane;
  constexpr unsigned kStackPointer = 4, kFramePointer = 5;
  find_callers({registers.pc, registers.general[kFramePointer], registers.general[kStackPointer]}, lane, event.callers,
               NanEvent::kMaxCallers);
  event.in_library = is_foreign_code(registers.pc, lane);
  return add_nan_event(event, lane);
}

// The NaNs that the stepped instruction made get their tag.
void put_tags(const MachineRegisters& registers) {
  const std::size_t size = trap.created.is_double ? 8 : 4;
  for (std::size_t i = 0; i < 32 / size; ++i) {
    if (!(trap.created.elements >> i & 1)) continue;
    unsigned char* half =
        i * size < 16 ? registers.low[trap.created.destination] : registers.high[trap.created.destination];
    if (!half) continue;
    unsigned char* at = half + i * size % 16;
    const std::uint64_t born = trap.created.is_double ? kDefaultDoubleNan : kDefaultFloatNan;
    const std::uint64_t tagged = trap.created.is_double ? tagged_double_nan(trap.tag) : tagged_float_nan(trap.tag);
    if (std::memcmp(at, &born, size) == 0) std::memcpy(at, &tagged, size);
  }
}

}  // namespace

NanTrap::NanTrap(const LaunchState& launch, bool armed) : armed_(armed && trap.served < kPerProcess) {
  if (!armed_) return;
  if (trap.launch != launch.number) {
    trap.launch = launch.number;
    trap.left_in_launch = kPerLaunch;
    note_launch_of_events(launch);
  }
  trap.armed = true;
  trap.left_in_turn = kPerTurn;
  saved_ = _mm_getcsr();
  if (trap.left_in_launch > 0) _mm_setcsr(saved_ & ~(kInvalidMask | kInvalidFlag));
}

NanTrap::~NanTrap() {
  if (!armed_) return;
  _mm_setcsr(saved_);
  trap.armed = false;
}

bool handle_invalid_operation(void* context) {
  if (!trap.armed) return false;
  auto& machine = *static_cast<ucontext_t*>(context);
  machine.uc_mcontext.fpregs->mxcsr |= kInvalidMask;
  ++trap.served;
  if (!offgrid_tls.lane || trap.left_in_turn == 0 || trap.left_in_launch == 0) return true;
  --trap.left_in_turn;
  --trap.left_in_launch;
  const MachineRegisters registers = registers_of(machine);
  trap.tag = 0;
  if (const auto created = decode_nan_creation(registers)) {
    trap.created = *created;
    trap.tag = note(*created, registers);
  }
  trap.stepping = true;
  machine.uc_mcontext.gregs[REG_EFL] |= kTrapFlag;
  return true;
}

bool handle_single_step(void* context) {
  if (!trap.stepping) return false;
  auto& machine = *static_cast<ucontext_t*>(context);
  trap.stepping = false;
  machine.uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
  machine.uc_mcontext.fpregs->mxcsr &= ~(kInvalidMask | kInvalidFlag);
  if (trap.tag) put_tags(registers_of(machine));
  return true;
}

}  // namespace offgrid::emu

#else

namespace offgrid::emu {

NanTrap::NanTrap(const LaunchState&, bool) {}
NanTrap::~NanTrap() = default;
bool handle_invalid_operation(void*) { return false; }
bool handle_single_step(void*) { return false; }

}  // namespace offgrid::emu

#endif
