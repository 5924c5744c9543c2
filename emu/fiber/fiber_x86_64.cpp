// Starting fibers for the own switch: a new stack holds the entry's address, which a small trampoline calls.
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
  context.sp = words - 1;
  context.pc = reinterpret_cast<void*>(&offgrid_fiber_start);
}

void leave_fiber(Context& to) {
  asm volatile(
      "movq (%0), %%rsp\n\t"
      "movq 16(%0), %%rbp\n\t"
      "movq 24(%0), %%rbx\n\t"
      "jmpq *8(%0)"
      :
      : "S"(&to)
      : "memory");
  __builtin_unreachable();
}

void adopt_thread(Context&) {}

}  // namespace offgrid::emu

#endif
