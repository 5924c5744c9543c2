/// What kernels that pass one buffer through one device function share: `x` are the operands.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "cases.h"

namespace offgrid::emu::test {

/// The result as a word, which is then cut by a mask: no branch decides about it.
template <class T>
__device__ std::uint64_t word_of_result(const T& value) {
  static_assert(sizeof value <= 8);
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

template <class T>
void run_case(void (*kernel)(T*, std::uint64_t*, std::uint64_t), Input input, unsigned threads) {
  T* operands;
  std::uint64_t *results, host[64];
  cudaMalloc(&operands, 1024);
  cudaMalloc(&results, sizeof host);
  cudaMemset(results, 0, sizeof host);
  if (input == Input::kDefined) cudaMemset(operands, 0x3c, 1024);
  kernel<<<1, threads>>>(operands, results, input == Input::kMasked ? 0 : ~std::uint64_t{0});
  cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(operands);
  cudaFree(results);
}

}  // namespace offgrid::emu::test

#define DEFINEDNESS_KERNEL(name, Type, threads, expression)                        \
  __global__ void name##_kernel(Type* x, std::uint64_t* out, std::uint64_t mask) { \
    out[threadIdx.x] = offgrid::emu::test::word_of_result(expression) & mask;      \
  }                                                                                \
  void name##_case(offgrid::emu::test::Input input) {                              \
    offgrid::emu::test::run_case<Type>(name##_kernel, input, threads);             \
  }

// The rows of the tables: DEFINEDNESS_CASE(use, name, Type of the operands, threads, expression of `x`).
#define CASE(...) DEFINEDNESS_CASE(kResult, __VA_ARGS__)
#define USE_CASE(...) DEFINEDNESS_CASE(kOperand, __VA_ARGS__)
#define UNUSED_CASE(...) DEFINEDNESS_CASE(kNothing, __VA_ARGS__)
