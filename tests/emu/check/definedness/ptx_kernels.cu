// Inline PTX.

#include "case_kernel.h"

namespace {

__device__ unsigned added(unsigned a, unsigned b) {
  unsigned r;
  asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ unsigned doubled(unsigned a) {
  asm volatile("add.u32 %0, %0, %0;" : "+r"(a));
  return a;
}
__device__ float fused(float a, float b, float c) {
  float r;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
  return r;
}
__device__ unsigned loaded(const unsigned* p) {
  unsigned r;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(r) : "l"(p) : "memory");
  return r;
}
__device__ unsigned loaded_second(const unsigned* p) {
  unsigned a, b;
  asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(p) : "memory");
  return b;
}
__device__ unsigned stored_value(unsigned value) {
  __shared__ unsigned place;
  asm volatile("st.u32 [%0], %1;" : : "l"(&place), "r"(value) : "memory");
  return place;
}
/// Only the second output depends on `b`.
__device__ unsigned other_output(unsigned a, unsigned b) {
  unsigned r, other;
  asm("add.u32 %0, %2, 1; add.u32 %1, %3, 1;" : "=r"(r), "=r"(other) : "r"(a), "r"(b));
  if (other != 6) return 0;
  return r;
}
__device__ unsigned guarded(unsigned a) {
  unsigned r;
  asm("{ .reg .pred p; setp.gt.u32 p, %1, 5; mov.u32 %0, 1; @p mov.u32 %0, 2; }" : "=r"(r) : "r"(a));
  return r;
}
__device__ unsigned indexed(unsigned i) {
  unsigned r;
  __shared__ unsigned table[2];
  table[0] = table[1] = 1;
  asm volatile("ld.u32 %0, [%1];" : "=r"(r) : "l"(table + (i & 1)) : "memory");
  return r;
}
__device__ unsigned added_atomically(unsigned* p) {
  unsigned r;
  asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(r) : "l"(p) : "memory");
  return r;
}
__device__ unsigned atomic_operand(unsigned value) {
  __shared__ unsigned place;
  place = 1;
  asm volatile("red.add.u32 [%0], %1;" : : "l"(&place), "r"(value) : "memory");
  return place;
}
__device__ unsigned copied_async(const unsigned* p) {
  __shared__ unsigned place[4];
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(place));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" : : "r"(to), "l"(p) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  return place[3];
}
__device__ unsigned shuffled(unsigned value) {
  unsigned r;
  asm volatile("shfl.sync.bfly.b32 %0, %1, 3, 0x1f, 0xffffffff;" : "=r"(r) : "r"(value));
  return r;
}

#define DEFINEDNESS_CASE(use, name, Type, threads, ...) DEFINEDNESS_KERNEL(name, Type, threads, (__VA_ARGS__))
#include "ptx_cases.inc"
#undef DEFINEDNESS_CASE

}  // namespace

std::vector<offgrid::emu::test::DefinednessCase> offgrid::emu::test::ptx_cases() {
  return {
#define DEFINEDNESS_CASE(use, name, Type, threads, ...) {#name, name##_case, Use::use},
#include "ptx_cases.inc"
  };
}
