// Atomics and copies.
#include <cuda_fp16.h>

#include "case_kernel.h"

namespace {

template <class T, class Operation>
__device__ T stored(T before, Operation operation) {
  __shared__ T place;
  place = before;
  operation(&place);
  return place;
}
template <class T>
__device__ T place_of(T* x) {
  return *x;
}

__device__ float cas_of_16_bytes(float4 value) {
  return stored(make_float4(1, 2, 3, 4), [=](float4* p) { atomicCAS(p, make_float4(1, 2, 3, 4), value); }).w;
}
__device__ float4 copied(const float4* x) {
  float4 local;
  memcpy(&local, x, sizeof local);
  return local;
}

#define DEFINEDNESS_CASE(use, name, Type, threads, ...) DEFINEDNESS_KERNEL(name, Type, threads, (__VA_ARGS__))
#include "memory_cases.inc"
#undef DEFINEDNESS_CASE

}  // namespace

std::vector<offgrid::emu::test::DefinednessCase> offgrid::emu::test::memory_cases() {
  return {
#define DEFINEDNESS_CASE(use, name, Type, threads, ...) {#name, name##_case, Use::use},
#include "memory_cases.inc"
  };
}
