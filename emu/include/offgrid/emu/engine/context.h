/// The switch between fibers, inlined into each collective.
///
/// A resumed lane continues right behind the place where it gave up the CPU. Inlining gives every such place its own
/// indirect jump with one stable target, which is what makes a switch cost about 4 ns instead of 20
/// (emu/fiber/README.md). The caller's registers are clobbers, so the compiler saves only what it needs; rbp and rbx,
/// which it may not let go, are kept in the context. Nothing is pushed: the red zone stays as it is, and no further
/// line of the stack is touched.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && !defined(OFFGRID_PORTABLE_SWITCH)
#define OFFGRID_OWN_SWITCH 1
#else
#define OFFGRID_OWN_SWITCH 0
#endif

namespace offgrid::emu {

/// A suspended fiber (or an OS thread's own stack). Meaningful only while it does not run.
struct Context {
  void* sp = nullptr;
#if OFFGRID_OWN_SWITCH
  void* pc = nullptr;     ///< where it continues
  void* frame = nullptr;  ///< rbp
  void* base = nullptr;   ///< rbx
#else
  const void* stack_bottom = nullptr;  ///< for the sanitizers' fiber annotations
  std::size_t stack_bytes = 0;
  void* fake_stack = nullptr;
#endif
};

#if OFFGRID_OWN_SWITCH

#if defined(__AVX512F__)
#define OFFGRID_SWITCH_CLOBBERS_AVX512                                                                          \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", \
      "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define OFFGRID_SWITCH_CLOBBERS_AVX512
#endif

/// Saves the running fiber in `from` and continues `to`: the addresses of two contexts.
[[gnu::always_inline]] inline void switch_context_numbers(std::uint64_t from, std::uint64_t to) {
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, (%0)\n\t"
      "movq %%rax, 8(%0)\n\t"
      "movq %%rbp, 16(%0)\n\t"
      "movq %%rbx, 24(%0)\n\t"
      "movq (%1), %%rsp\n\t"
      "movq 16(%1), %%rbp\n\t"
      "movq 24(%1), %%rbx\n\t"
      "jmpq *8(%1)\n"
      "1:"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0", "xmm1",
        "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
        "xmm15" OFFGRID_SWITCH_CLOBBERS_AVX512);
}

[[gnu::always_inline]] inline void switch_context(Context& from, Context& to) {
  switch_context_numbers(reinterpret_cast<std::uint64_t>(&from), reinterpret_cast<std::uint64_t>(&to));
}

#else

/// The portable switch: Boost.Context, with fiber annotations under AddressSanitizer. Out of line in emu/fiber.
void switch_context(Context& from, Context& to);

inline void switch_context_numbers(std::uint64_t from, std::uint64_t to) {
  switch_context(*reinterpret_cast<Context*>(from), *reinterpret_cast<Context*>(to));
}

#endif

}  // namespace offgrid::emu
