// Values that are printed, and tails of rows that are masked.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdio>

#include "case_kernel.h"

namespace {

/// The sum of a row whose tail nobody wrote: a select leaves it out, a product with 0 does not, as 0 * NaN is NaN.
template <class T>
__device__ float row_sum(const T* x, unsigned length, bool selects) {
  __shared__ T row[32];
  const unsigned i = threadIdx.x;
  row[i] = i < length ? T(1.0f) : x[i];
  __syncthreads();
  const float value = static_cast<float>(row[i]) * 0.5f;
  float sum = selects ? (i < length ? value : 0.0f) : value * (i < length ? 1.0f : 0.0f);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  return sum;
}

#define DEFINEDNESS_CASE(use, name, Type, threads, ...) DEFINEDNESS_KERNEL(name, Type, threads, (__VA_ARGS__))
#include "use_cases.inc"
#undef DEFINEDNESS_CASE

}  // namespace

std::vector<offgrid::emu::test::DefinednessCase> offgrid::emu::test::use_cases() {
  return {
#define DEFINEDNESS_CASE(use, name, Type, threads, ...) {#name, name##_case, Use::use},
#include "use_cases.inc"
  };
}
