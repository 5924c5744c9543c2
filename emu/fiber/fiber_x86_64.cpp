// Starting fibers for the own switch: a new stack holds the address of a small trampoline and, above it, of the entry.
#include "fiber/fiber.h"

#if OFFGRID_OWN_SWITCH

#include <cstdint>

extern "C" void offgrid_fiber_start();

// Reached by the switch's jump with rsp at the entry's address. The call leaves rsp aligned as at any function entry;
// rbp = 0 ends frame-pointer walks.
asm(R"(
  .text
  .p2align 4
  .type offgrid_fiber_start, @function
offgrid_fiber_start:
  .cfi_startproc
  .cfi_undefined rip
  popq %rcx
  xorl %ebp, %ebp
  callq *%rcx
  ud2
  .cfi_endproc
  .size offgrid_fiber_start, .-offgrid_fiber_start
)");

namespace offgrid::emu {

void prepare_fiber(Context& context, const Stack& stack, void (*entry)()) {
  auto* words = reinterpret_cast<std::uintptr_t*>(stack.top);
  words[-1] = reinterpret_cast<std::uintptr_t>(entry);
  words[-2] = reinterpret_cast<std::uintptr_t>(&offgrid_fiber_start);
  context.sp = words - 2;
}

void leave_fiber(Context& to) {
  asm volatile(
      "movq %0, %%rsp\n\t"
      "popq %%rax\n\t"
      "jmpq *%%rax"
      :
      : "r"(to.sp)
      : "memory");
  __builtin_unreachable();
}

void adopt_thread(Context&) {}

}  // namespace offgrid::emu

#endif
