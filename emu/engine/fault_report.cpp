// What a fault of a lane means: from signal, address and code address to a finding.
#include <offgrid/emu/memory.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "engine/buffer_name.h"
#include "engine/lane_callers.h"
#include "engine/observer.h"
#include "engine/state.h"
#include "engine/wrapped_index.h"

namespace offgrid::emu {
namespace {

// A null pointer plus an offset: the first 64 KiB are never mapped.
constexpr std::uintptr_t kNullPages = 64 * 1024;

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
  const ResidentBlock& block = resident(lane.warp->block);
  if (const auto wrapped = find_wrapped_index(*block.launch, fault.address)) {
    explain_wrapped_index(finding, *block.launch, *wrapped, fault.address, verb.c_str());
    return;
  }
  const AddressInfo info = DeviceMemory::instance().find(fault.address);
  const BufferName buffer = name_of_buffer(*block.launch, info.allocation, fault.address);
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
                         buffer.name;
      if (!before && distance == 0) finding.headline = verb + " just past the end of " + buffer.name;
      describe_buffer(finding, buffer, info.allocation);
      return;
    }
    case AddressClass::kFreed:
      finding.id = FindingId::kUseAfterFree;
      finding.headline = verb + " of " + buffer.name + " after it was freed";
      describe_buffer(finding, buffer, info.allocation);
      return;
    case AddressClass::kInside:
      finding.id = FindingId::kWriteToReadOnly;
      finding.headline = verb + " to " + buffer.name + ", which is read-only during this launch";
      describe_buffer(finding, buffer, info.allocation);
      return;
    case AddressClass::kUnallocated:
    case AddressClass::kOutside:
      break;
  }
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

/// Checked kernels trap where an access leaves an object whose extent the compiler knows, a local array or a variable:
/// `ud1 N(%eax), %eax`.
bool is_bounds_trap(std::uintptr_t pc) {
#if defined(__x86_64__)
  const auto* code = reinterpret_cast<const unsigned char*>(pc);
  static constexpr unsigned char kUd1[] = {0x67, 0x0F, 0xB9};
  // N in one byte, or in four.
  return observer != nullptr && std::memcmp(code, kUd1, sizeof kUd1) == 0 && (code[3] == 0x40 || code[3] == 0x80);
#else
  return false;
#endif
}

}  // namespace

void report_fault(Worker& worker) {
  ResidentBlock& block = resident(offgrid_tls.block);
  const Lane& lane = *worker.faulting_lane;
  Finding finding;
  finding.place = place_of(lane);
  finding.sites.push_back({"at", {}, worker.fault.pc, ""});
  constexpr std::size_t kMaxCallers = 1024;
  std::vector<std::uintptr_t>& callers = finding.sites.front().callers;
  callers.resize(kMaxCallers);
  callers.resize(
      find_callers({worker.fault.pc, worker.fault.frame, worker.fault.stack}, lane, callers.data(), kMaxCallers));
  LaunchError error = LaunchError::kIllegalAddress;
  switch (worker.fault.signal) {
    case SIGFPE:
      finding.id = FindingId::kIntegerDivision;
      finding.headline = "integer division by zero";
      finding.notes.push_back("a GPU would go on with 0xffffffff; the CPU traps, and so does this run");
      error = LaunchError::kTrap;
      break;
    case SIGILL:
      if (is_bounds_trap(worker.fault.pc)) {
        finding.id = FindingId::kOutOfBounds;
        finding.headline = "access outside an object whose extent the compiler knows";
        finding.help =
            "check the index against the extent of the local array or variable that the pointer was made from";
        break;
      }
      finding.id = FindingId::kIllegalInstruction;
      finding.headline = "the kernel ran into an instruction that traps (unreachable code, or __builtin_trap)";
      error = LaunchError::kIllegalInstruction;
      break;
    default:
      explain_memory_fault(worker, lane, finding);
  }
  finding_sink().add(std::move(finding));
  observer ? block.launch->note_error(error) : block.launch->fail(error);
}

}  // namespace offgrid::emu
