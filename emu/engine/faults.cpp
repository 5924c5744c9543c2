// Faults of a lane: the signal handler only notes what happened and sends the worker back to its own stack; everything
// else is decided there, outside the handler.
#include <ucontext.h>

#include <csignal>

#include "check/numerics/nan_trap.h"
#include "engine/observer.h"
#include "engine/state.h"

namespace offgrid::emu {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr std::size_t kFaultStackBytes = 64 * 1024;
constexpr std::size_t kSignalStackBytes = 64 * 1024;

struct sigaction previous_actions[NSIG];

// Where a faulting lane continues, on the worker's fault stack.
[[noreturn]] void landing() { return_to_worker(Return::kFault); }

void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction& previous = previous_actions[signal];
  if (previous.sa_flags & SA_SIGINFO && previous.sa_sigaction) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    std::signal(signal, SIG_DFL);  // the instruction runs again and ends the process as it always would
  }
}

void on_trap(int signal, siginfo_t* info, void* context) {
  if (handle_single_step(context)) return;
  pass_on(signal, info, context);
  if (previous_actions[signal].sa_handler == SIG_DFL) raise(signal);  // it would not come again by itself
}

void on_signal(int signal, siginfo_t* info, void* context) {
  if (signal == SIGFPE && info->si_code == FPE_FLTINV && handle_invalid_operation(context)) return;
  if (!offgrid_tls.lane || !offgrid_tls.worker) return pass_on(signal, info, context);
  auto* machine = static_cast<ucontext_t*>(context);
  Worker& worker = *offgrid_tls.worker;
  Fault& fault = worker.fault;
  worker.faulting_lane = offgrid_tls.lane;
  fault.signal = signal;
  fault.code = info->si_code;
  fault.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
#if defined(__x86_64__)
  auto& registers = machine->uc_mcontext.gregs;
  fault.pc = static_cast<std::uintptr_t>(registers[REG_RIP]);
  fault.frame = static_cast<std::uintptr_t>(registers[REG_RBP]);
  fault.stack = static_cast<std::uintptr_t>(registers[REG_RSP]);
  fault.is_write = registers[REG_ERR] & 2;
  const auto top = reinterpret_cast<std::uintptr_t>(worker.fault_stack.get()) + kFaultStackBytes;
  registers[REG_RSP] = static_cast<greg_t>((top & ~std::uintptr_t{15}) - 8);  // as after a call
  registers[REG_RIP] = reinterpret_cast<greg_t>(&landing);
#elif defined(__aarch64__)
  fault.pc = machine->uc_mcontext.pc;
  fault.frame = machine->uc_mcontext.regs[29];
  fault.stack = machine->uc_mcontext.sp;
  const auto top = reinterpret_cast<std::uintptr_t>(worker.fault_stack.get()) + kFaultStackBytes;
  machine->uc_mcontext.sp = top & ~std::uintptr_t{15};
  machine->uc_mcontext.pc = reinterpret_cast<std::uintptr_t>(&landing);
#endif
}

void install(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction now = {};
  sigaction(signal, nullptr, &now);
  if (now.sa_sigaction == handler) return;
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, &previous_actions[signal]);
}

}  // namespace

void install_fault_handlers() {
  for (const int signal : kSignals) install(signal, &on_signal);
  if (observer) install(SIGTRAP, &on_trap);
}

void prepare_signal_stack(Worker& worker) {
  if (!worker.fault_stack) worker.fault_stack = std::make_unique<unsigned char[]>(kFaultStackBytes);
  // Per OS thread, for as long as it lives; a stack overflow leaves no other place for the handler.
  struct ThreadSignalStack {
    std::unique_ptr<unsigned char[]> bytes = std::make_unique<unsigned char[]>(kSignalStackBytes);
    ThreadSignalStack() {
      stack_t stack = {};
      stack.ss_sp = bytes.get();
      stack.ss_size = kSignalStackBytes;
      sigaltstack(&stack, nullptr);
    }
    ~ThreadSignalStack() {
      stack_t stack = {};
      stack.ss_flags = SS_DISABLE;
      sigaltstack(&stack, nullptr);
    }
  };
  static thread_local ThreadSignalStack signal_stack;
  (void)signal_stack;
}

}  // namespace offgrid::emu
