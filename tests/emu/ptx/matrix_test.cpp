// Matrix instructions on whole numbers, where every order of summation gives the same.
#include <cuda_runtime.h>

#include <vector>

#include "catch.h"
#include "matrix_kernels.h"

namespace offgrid::emu::test {
namespace {

/// The bits of a small whole number in bfloat16.
std::uint16_t bf16(int value) {
  const float x = static_cast<float>(value);
  std::uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return static_cast<std::uint16_t>(bits >> 16);
}

template <class T>
T* managed(std::size_t count) {
  T* p = nullptr;
  REQUIRE(cudaMallocManaged(&p, count * sizeof(T)) == cudaSuccess);
  return p;
}

TEST_CASE("Matrix.ProductThroughLdmatrixAndMma") {
  auto* a = managed<std::uint16_t>(16 * kMatrixDepth);
  auto* b = managed<std::uint16_t>(32 * kMatrixDepth);
  auto* out = managed<float>(16 * 32);
  const auto x = [](int row, int k) { return (row * 31 + k * 7) % 17 - 8; };
  const auto y = [](int column, int k) { return (column * 13 + k * 5) % 19 - 9; };
  for (const bool transposed : {false, true}) {
    for (int k = 0; k < kMatrixDepth; ++k) {
      for (int row = 0; row < 16; ++row) a[row * kMatrixDepth + k] = bf16(x(row, k));
      for (int column = 0; column < 32; ++column) {
        b[transposed ? k * 32 + column : column * kMatrixDepth + k] = bf16(y(column, k));
      }
    }
    run_product(a, b, out, transposed);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    int wrong = 0;
    for (int row = 0; row < 16; ++row) {
      for (int column = 0; column < 32; ++column) {
        int sum = 0;
        for (int k = 0; k < kMatrixDepth; ++k) sum += x(row, k) * y(column, k);
        wrong += out[row * 32 + column] != static_cast<float>(sum);
      }
    }
    CHECK(wrong == 0);
  }
  for (void* p : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(out)}) cudaFree(p);
}

TEST_CASE("Matrix.TransposedInRegistersAndStored") {
  auto* out = managed<std::uint16_t>(64);
  run_transpose(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  int wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += out[i] != i % 8 * 8 + i / 8;
  CHECK(wrong == 0);
  cudaFree(out);
}

TEST_CASE("Matrix.BarriersOfSomeWarps") {
  int* out = managed<int>(3);
  run_some_warps(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[0] == 11);
  CHECK(out[1] == 10);
  CHECK(out[2] == 21);
  cudaFree(out);
}

}  // namespace
}  // namespace offgrid::emu::test
