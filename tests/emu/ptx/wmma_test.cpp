// nvcuda::wmma on whole numbers, where every order of summation gives the same.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "wmma_kernels.h"

namespace offgrid::emu::test {
namespace {

/// A small whole number as an element of `type`.
void put(unsigned char* to, const std::string& type, std::size_t index, int value) {
  const auto store = [&](auto element) { std::memcpy(to + index * sizeof element, &element, sizeof element); };
  const auto single = static_cast<float>(value);
  if (type == "half") return store(static_cast<_Float16>(value));
  if (type == "float" || type == "tf32") return store(single);
  if (type == "double") return store(static_cast<double>(value));
  if (type == "int") return store(value);
  if (type == "bf16") {
    std::uint32_t bits;
    std::memcpy(&bits, &single, sizeof bits);
    return store(static_cast<std::uint16_t>(bits >> 16));
  }
  store(static_cast<std::uint8_t>(value));
}

std::size_t bytes_of(const std::string& type) {
  return type == "double" ? 8 : type == "half" || type == "bf16" ? 2 : type == "s8" || type == "u8" ? 1 : 4;
}

struct Case {
  unsigned m, n, k;
  std::string operands, sums;
  std::string name() const {
    return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + " " + operands + " " + sums;
  }
};

void check(const Case& test, bool turned) {
  INFO(test.name() << (turned ? ", turned" : ""));
  unsigned char* memory[4];
  for (auto& p : memory) REQUIRE(cudaMallocManaged(&p, 4096) == cudaSuccess);
  const int low = test.operands == "u8" ? 0 : 4;
  const auto x = [&](unsigned row, unsigned k) { return static_cast<int>((row * 31 + k * 7) % 9) - low; };
  const auto y = [&](unsigned k, unsigned column) { return static_cast<int>((column * 13 + k * 5) % 7) - low / 2; };
  const auto z = [](unsigned row, unsigned column) { return static_cast<int>(row * 8 + column) - 60; };
  for (unsigned k = 0; k < test.k; ++k) {
    for (unsigned row = 0; row < test.m; ++row) {
      put(memory[0], test.operands, turned ? k * test.m + row : row * test.k + k, x(row, k));
    }
    for (unsigned column = 0; column < test.n; ++column) {
      put(memory[1], test.operands, turned ? k * test.n + column : column * test.k + k, y(k, column));
    }
  }
  unsigned char want[4096] = {};
  for (unsigned row = 0; row < test.m; ++row) {
    for (unsigned column = 0; column < test.n; ++column) {
      int sum = z(row, column);
      for (unsigned k = 0; k < test.k; ++k) sum += x(row, k) * y(k, column);
      put(want, test.sums, row * test.n + column, sum);
      put(memory[2], test.sums, row * test.n + column, z(row, column));
    }
  }
  REQUIRE(run_wmma(test.name(), turned, memory[0], memory[1], memory[2], memory[3]));
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(std::memcmp(memory[3], want, test.m * test.n * bytes_of(test.sums)) == 0);
  for (void* p : memory) cudaFree(p);
}

TEST_CASE("Wmma.Products") {
  std::vector<Case> cases = {{16, 16, 8, "tf32", "float"}, {8, 8, 4, "double", "double"}};
  const std::pair<const char*, const char*> types[] = {
      {"half", "float"}, {"half", "half"}, {"bf16", "float"}, {"s8", "int"}, {"u8", "int"}};
  for (const auto& [operands, sums] : types) {
    cases.push_back({16, 16, 16, operands, sums});
    cases.push_back({32, 8, 16, operands, sums});
    cases.push_back({8, 32, 16, operands, sums});
  }
  for (const Case& test : cases) {
    for (const bool turned : {false, true}) check(test, turned);
  }
}

TEST_CASE("Wmma.ElementsOfFragments") {
  float* out = nullptr;
  REQUIRE(cudaMallocManaged(&out, 256 * sizeof *out) == cudaSuccess);
  run_wmma_elements(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  int wrong = 0;
  for (int i = 0; i < 256; ++i) wrong += out[i] != 96.0f;
  CHECK(wrong == 0);
  cudaFree(out);
}

}  // namespace
}  // namespace offgrid::emu::test
