// Faults of a lane: the signal handler only notes what happened and sends the worker back to its own stack; everything
// else is decided there, outside the handler.
#include <dlfcn.h>
#include <offgrid/emu/memory.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <csignal>
#include <cstring>

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

void on_signal(int signal, siginfo_t* info, void* context) {
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

std::string element_text(const Allocation& a, std::uintptr_t address) {
  const std::size_t size = a.shape.element_bytes ? a.shape.element_bytes : 1;
  const bool before = address < a.begin;
  const std::size_t distance = before ? a.begin - address : address - a.begin;
  if (a.shape.dims.empty()) return (before ? "byte -" : "byte ") + std::to_string(distance);
  return before ? "element -" + std::to_string((distance + size - 1) / size)
                : "element " + std::to_string(distance / size);
}

std::string name_of(const Allocation& a) {
  return a.name.empty() ? "allocation #" + std::to_string(a.id) : "`" + a.name + "`";
}

std::string shape_text(const Allocation& a) {
  if (a.shape.dims.empty()) return std::to_string(a.bytes) + " bytes";
  std::string text = a.shape.element + "[";
  for (std::size_t i = 0; i < a.shape.dims.size(); ++i) {
    if (i) text += ", ";
    if (!a.shape.dims[i].name.empty()) text += a.shape.dims[i].name + " ";
    text += std::to_string(a.shape.dims[i].size);
  }
  return text + "]";
}

void describe_allocation(Finding& finding, const Allocation& a, std::uintptr_t address) {
  finding.notes.push_back(element_text(a, address) + " of " + name_of(a) + ", which is " + shape_text(a) +
                          (a.kind == MemoryKind::kDevice ? ", global memory" : ", host-visible memory"));
  if (a.site.file || a.site_pc) finding.sites.push_back({"allocated", a.site, a.site_pc, ""});
}

// A null pointer plus an offset: the first 64 KiB are never mapped.
constexpr std::uintptr_t kNullPages = 64 * 1024;

// The return addresses on the lane's stack, found along the frame pointers that `offgrid cc` keeps. A function of the
// system's that keeps none (memcpy) is usually a leaf: its return address is the topmost word.
std::vector<std::uintptr_t> callers_of(const Fault& fault, const Stack& stack) {
  constexpr std::size_t kMaxCallers = 1024;
  const auto low = reinterpret_cast<std::uintptr_t>(stack.bottom);
  const auto high = reinterpret_cast<std::uintptr_t>(stack.top);
  const auto word = [](std::uintptr_t at) { return *reinterpret_cast<const std::uintptr_t*>(at); };
  std::vector<std::uintptr_t> callers;
  Dl_info info{};
  const bool in_library =
      dladdr(reinterpret_cast<void*>(fault.pc), &info) && info.dli_fname && std::strstr(info.dli_fname, ".so");
  if (in_library && fault.stack >= low && fault.stack + 8 <= high) callers.push_back(word(fault.stack) - 1);
  std::uintptr_t frame = fault.frame;
  while (frame >= low && frame % 8 == 0 && frame + 16 <= high && callers.size() < kMaxCallers) {
    const std::uintptr_t next = word(frame);
    callers.push_back(word(frame + 8) - 1);
    if (next <= frame) break;
    frame = next;
  }
  return callers;
}

void explain_memory_fault(const Worker& worker, const Lane& lane, Finding& finding) {
  const Fault& fault = worker.fault;
  const std::string verb = fault.is_write ? "write" : "read";
  if (fault.code == SI_KERNEL) {  // x86-64 tells neither address nor direction
    finding.id = FindingId::kIllegalAddress;
    finding.headline = "access at an address beyond the address space";
    finding.notes.push_back("the upper bits of the address are neither all 0 nor all 1: no program can have it");
    finding.help = "an index overflowed, or the pointer was never set or was overwritten";
    return;
  }
  finding.sites.front().role = verb;
  const auto* stack = static_cast<const Stack*>(lane.stack);
  if (stack && stack->overflowed_at(fault.address, worker.stacks.stack_bytes())) {
    finding.id = FindingId::kStackOverflow;
    finding.sites.front().role = "at";
    finding.headline =
        "a lane used more than its stack of " + std::to_string(worker.stacks.stack_bytes() / 1024) + " KiB";
    return;
  }
  if (fault.address < kNullPages) {
    finding.id = FindingId::kNullPointer;
    finding.headline = verb + " through a null pointer" +
                       (fault.address ? " (offset " + std::to_string(fault.address) + ")" : std::string());
    return;
  }
  const AddressInfo info = DeviceMemory::instance().find(fault.address);
  switch (info.what) {
    case AddressClass::kAfter:
    case AddressClass::kBefore: {
      finding.id = FindingId::kOutOfBounds;
      const bool before = info.what == AddressClass::kBefore;
      const std::size_t distance =
          before ? info.allocation.begin - fault.address : fault.address - info.allocation.end();
      finding.headline = verb + " " +
                         (before ? std::to_string(distance) + " bytes before the start of "
                                 : std::to_string(distance) + " bytes past the end of ") +
                         name_of(info.allocation);
      if (!before && distance == 0) finding.headline = verb + " just past the end of " + name_of(info.allocation);
      describe_allocation(finding, info.allocation, fault.address);
      return;
    }
    case AddressClass::kFreed:
      finding.id = FindingId::kUseAfterFree;
      finding.headline = verb + " of " + name_of(info.allocation) + " after it was freed";
      describe_allocation(finding, info.allocation, fault.address);
      return;
    case AddressClass::kInside:
      finding.id = FindingId::kWriteToReadOnly;
      finding.headline = verb + " to " + name_of(info.allocation) + ", which is read-only during this launch";
      describe_allocation(finding, info.allocation, fault.address);
      return;
    case AddressClass::kUnallocated:
    case AddressClass::kOutside:
      break;
  }
  const ResidentBlock& block = resident(lane.warp->block);
  if (block.arena.owns(reinterpret_cast<const void*>(fault.address))) {
    finding.id = FindingId::kOutOfBounds;
    const auto base = reinterpret_cast<std::uintptr_t>(block.dynamic_shared);
    const std::size_t bytes = block.launch->dynamic_shared;
    finding.headline = verb + " past the end of shared memory";
    if (fault.address >= base + bytes) {
      finding.headline = verb + " past the end of the dynamic shared memory";
      finding.notes.push_back("byte " + std::to_string(fault.address - base) +
                              " of the dynamic shared memory; the launch asked for " + std::to_string(bytes) +
                              " bytes");
      finding.help =
          "the launch's third argument must count every array that the kernel lays out in `extern __shared__` memory";
    }
    return;
  }
  finding.id = FindingId::kIllegalAddress;
  finding.headline = verb + " at an address that belongs to no allocation";
  char text[64];
  std::snprintf(text, sizeof text, "address 0x%llx", static_cast<unsigned long long>(fault.address));
  finding.notes.push_back(info.what == AddressClass::kOutside ? std::string(text) + ", outside device memory"
                                                              : std::string(text) + ", in the device's range");
}

}  // namespace

void install_fault_handlers() {
  for (const int signal : kSignals) {
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    if (now.sa_sigaction == &on_signal) continue;
    struct sigaction action = {};
    action.sa_sigaction = &on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, &previous_actions[signal]);
  }
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

void report_fault(Worker& worker) {
  ResidentBlock& block = resident(offgrid_tls.block);
  const Lane& lane = *worker.faulting_lane;
  Finding finding;
  finding.place = place_of(lane);
  finding.sites.push_back({"at", {}, worker.fault.pc, ""});
  if (lane.stack) finding.sites.front().callers = callers_of(worker.fault, *static_cast<const Stack*>(lane.stack));
  LaunchError error = LaunchError::kIllegalAddress;
  switch (worker.fault.signal) {
    case SIGFPE:
      finding.id = FindingId::kIntegerDivision;
      finding.headline = "integer division by zero";
      finding.notes.push_back("a GPU would go on with 0xffffffff; the CPU traps, and so does this run");
      error = LaunchError::kTrap;
      break;
    case SIGILL:
      finding.id = FindingId::kIllegalInstruction;
      finding.headline = "the kernel ran into an instruction that traps (unreachable code, or __builtin_trap)";
      error = LaunchError::kIllegalInstruction;
      break;
    default:
      explain_memory_fault(worker, lane, finding);
  }
  finding_sink().add(std::move(finding));
  block.launch->fail(error);
}

}  // namespace offgrid::emu
