// Asynchronous copies. What is not waited for must not be seen; OFFGRID_LANDING is off under checked mode, where to
// look at it is a finding.
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "async_copy_kernels.h"
#include "catch.h"

namespace offgrid::emu::test {
namespace {

template <class T>
class Managed {
 public:
  explicit Managed(std::size_t count) : count_(count) {
    REQUIRE(cudaMallocManaged(&data_, count * sizeof(T)) == cudaSuccess);
  }
  ~Managed() { cudaFree(data_); }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  T* get() const { return data_; }
  T& operator[](std::size_t i) const { return data_[i]; }
  std::vector<T> values() const {
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    return {data_, data_ + count_};
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// The bits of a whole number below 2048 in half precision.
std::uint16_t half(int value) {
  const auto x = static_cast<_Float16>(value);
  std::uint16_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

TEST_CASE("AsyncCopy.StagedProduct") {
  const Managed<std::uint16_t> a(16 * kStagedDepth), b(kStagedDepth * 32);
  const Managed<float> out(16 * 32);
  const auto x = [](int row, int k) { return (row * 31 + k * 7) % 17 - 8; };
  const auto y = [](int k, int column) { return (column * 13 + k * 5) % 19 - 9; };
  for (int k = 0; k < kStagedDepth; ++k) {
    for (int row = 0; row < 16; ++row) a[row * kStagedDepth + k] = half(x(row, k));
    for (int column = 0; column < 32; ++column) b[k * 32 + column] = half(y(k, column));
  }
  run_staged_product(a.get(), b.get(), out.get());
  const std::vector<float> got = out.values();
  int wrong = 0;
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 32; ++column) {
      int sum = 0;  // below 2^24: every order of float sums gives it
      for (int k = 0; k < kStagedDepth; ++k) sum += x(row, k) * y(k, column);
      wrong += got[row * 32 + column] != static_cast<float>(sum);
    }
  }
  CHECK(wrong == 0);
}

#if OFFGRID_LANDING
TEST_CASE("AsyncCopy.LandsWhenItsGroupIsWaitedFor") {
  const Managed<int> in(16), out(8);
  for (int i = 0; i < 16; ++i) in[i] = i;
  run_landing(in.get(), out.get());
  CHECK(out.values() == std::vector<int>{-1, -1, 0, -1, 4, -1, 8, -1});
}
#endif

TEST_CASE("AsyncCopy.FillsWithZeros") {
  const Managed<int> in(4), out(8);
  for (int i = 0; i < 4; ++i) in[i] = 10 + i;
  run_zero_fill(in.get(), out.get());
  CHECK(out.values() == std::vector<int>{10, 0, 0, 0, 0, 0, 13, -1});
}

TEST_CASE("AsyncCopy.PrimitivesAndGroups") {
  const Managed<int> in(64), out(64);
  std::vector<int> want(64);
  for (int i = 0; i < 64; ++i) want[i] = in[i] = 100 + i;
  want[30] = want[31] = 0;
  run_primitives(in.get(), out.get());
  CHECK(out.values() == want);
}

}  // namespace
}  // namespace offgrid::emu::test
