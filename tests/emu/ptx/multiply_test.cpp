// mma.sync: which lane's register holds which element, by the PTX ISA's tables, on whole numbers, where every order of
// summation gives the same. The arithmetic is tested in tests/emu/numerics.
#include <cuda_runtime.h>
#include <offgrid/emu/finding_collector.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "catch.h"
#include "multiply_kernels.h"

namespace offgrid::emu::test {
namespace {

enum class Number { kF16, kBf16, kTf32, kF32, kE4m3, kE5m2, kS8, kU8, kS32, kF64 };

int bits_of(Number n) {
  switch (n) {
    case Number::kF16:
    case Number::kBf16:
      return 16;
    case Number::kE4m3:
    case Number::kE5m2:
    case Number::kS8:
    case Number::kU8:
      return 8;
    case Number::kF64:
      return 64;
    default:
      return 32;
  }
}

/// A small whole number's bits.
std::uint64_t encoded(Number n, int value) {
  const auto x = static_cast<float>(value);
  std::uint32_t single;
  std::memcpy(&single, &x, sizeof single);
  const auto narrow = static_cast<_Float16>(value);
  std::uint16_t half;
  std::memcpy(&half, &narrow, sizeof half);
  const double wide = value;
  std::uint64_t bits;
  std::memcpy(&bits, &wide, sizeof bits);
  switch (n) {
    case Number::kF16:
      return half;
    case Number::kBf16:
      return single >> 16;
    case Number::kE5m2:
      return half >> 8;
    case Number::kE4m3:  // bias 7 and 3 bits, against 15 and 10
      return value == 0 ? 0 : (half >> 8 & 0x80) | ((half & 0x7FFF) - (8 << 10)) >> 7;
    case Number::kF64:
      return bits;
    case Number::kS8:
    case Number::kU8:
      return static_cast<std::uint8_t>(value);
    case Number::kS32:
      return static_cast<std::uint32_t>(value);
    default:
      return single;
  }
}

struct Instruction {
  const char* name;
  unsigned rows, depth;
  Number a, b, c;
};

constexpr Number kF16 = Number::kF16, kBf16 = Number::kBf16, kTf32 = Number::kTf32, kF32 = Number::kF32,
                 kE4 = Number::kE4m3, kE5 = Number::kE5m2, kS8 = Number::kS8, kU8 = Number::kU8, kS32 = Number::kS32,
                 kF64 = Number::kF64;

const Instruction kInstructions[] = {
    {"m16n8k16.row.col.f32.f16.f16.f32", 16, 16, kF16, kF16, kF32},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, kBf16, kBf16, kF32},
    {"m16n8k16.row.col.f16.f16.f16.f16", 16, 16, kF16, kF16, kF16},
    {"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, kF16, kF16, kF32},
    {"m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, kBf16, kBf16, kF32},
    {"m16n8k8.row.col.f16.f16.f16.f16", 16, 8, kF16, kF16, kF16},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, kTf32, kTf32, kF32},
    {"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, kTf32, kTf32, kF32},
    {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 32, kE4, kE4, kF32},
    {"m16n8k32.row.col.f32.e5m2.e5m2.f32", 16, 32, kE5, kE5, kF32},
    {"m16n8k32.row.col.f32.e4m3.e5m2.f32", 16, 32, kE4, kE5, kF32},
    {"m16n8k32.row.col.f32.e5m2.e4m3.f32", 16, 32, kE5, kE4, kF32},
    {"m16n8k32.row.col.s32.s8.s8.s32", 16, 32, kS8, kS8, kS32},
    {"m16n8k32.row.col.s32.u8.u8.s32", 16, 32, kU8, kU8, kS32},
    {"m16n8k32.row.col.s32.s8.u8.s32", 16, 32, kS8, kU8, kS32},
    {"m16n8k32.row.col.s32.u8.s8.s32", 16, 32, kU8, kS8, kS32},
    {"m16n8k32.row.col.satfinite.s32.s8.s8.s32", 16, 32, kS8, kS8, kS32},
    {"m16n8k16.row.col.s32.s8.s8.s32", 16, 16, kS8, kS8, kS32},
    {"m16n8k16.row.col.satfinite.s32.u8.u8.s32", 16, 16, kU8, kU8, kS32},
    {"m8n8k16.row.col.s32.s8.s8.s32", 8, 16, kS8, kS8, kS32},
    {"m8n8k16.row.col.satfinite.s32.u8.u8.s32", 8, 16, kU8, kU8, kS32},
    {"m8n8k4.row.col.f64.f64.f64.f64", 8, 4, kF64, kF64, kF64},
    {"m16n8k4.row.col.f64.f64.f64.f64", 16, 4, kF64, kF64, kF64},
    {"m16n8k8.row.col.f64.f64.f64.f64", 16, 8, kF64, kF64, kF64},
    {"m16n8k16.row.col.f64.f64.f64.f64", 16, 16, kF64, kF64, kF64},
};

/// Elements of a fragment: element i of lane 4 g + t, with `packed` of them in a register (a double is one).
struct Position {
  unsigned row, column;
};
unsigned packed(Number n) { return bits_of(n) >= 32 ? 1 : 32 / static_cast<unsigned>(bits_of(n)); }

/// a: registers run over rows g and g + 8 first, then over k.
Position of_a(const Instruction& in, unsigned lane, unsigned i) {
  const unsigned p = packed(in.a), reg = i / p, halves = in.rows / 8;
  return {lane / 4 + reg % halves * 8, lane % 4 * p + i % p + reg / halves * 4 * p};
}
/// b: row is k.
Position of_b(const Instruction& in, unsigned lane, unsigned i) {
  const unsigned p = packed(in.b), reg = i / p;
  return {lane % 4 * p + i % p + reg * 4 * p, lane / 4};
}
Position of_c(const Instruction&, unsigned lane, unsigned i) { return {lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2}; }

template <class T>
class Managed {
 public:
  explicit Managed(std::size_t count) { REQUIRE(cudaMallocManaged(&data_, count * sizeof(T)) == cudaSuccess); }
  ~Managed() { cudaFree(data_); }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};

/// The fragments of all lanes, side by side.
template <class Place, class Value>
void fill(unsigned char* to, Number n, unsigned elements, const Place& place, const Value& value) {
  const unsigned bytes = static_cast<unsigned>(bits_of(n)) / 8;
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < elements; ++i) {
      const Position at = place(lane, i);
      const std::uint64_t bits = encoded(n, value(at.row, at.column));
      std::memcpy(to + (lane * elements + i) * bytes, &bits, bytes);
    }
  }
}

TEST_CASE("Multiply.LanesHoldWhatTheManualSays") {
  const Managed<unsigned char> a(4096), b(4096), c(4096), d(4096);
  for (const Instruction& in : kInstructions) {
    INFO(in.name);
    const auto x = [&](unsigned row, unsigned k) {
      return static_cast<int>((row * 31 + k * 7) % 9) - (in.a == kU8 ? 0 : 4);
    };
    const auto y = [&](unsigned k, unsigned column) {
      return static_cast<int>((column * 13 + k * 5) % 7) - (in.b == kU8 ? 0 : 3);
    };
    const auto z = [](unsigned row, unsigned column) { return static_cast<int>(row * 8 + column) - 60; };
    const unsigned c_elements = in.rows * 8 / 32;
    fill(a.get(), in.a, in.rows * in.depth / 32, [&](unsigned l, unsigned i) { return of_a(in, l, i); }, x);
    fill(b.get(), in.b, in.depth * 8 / 32, [&](unsigned l, unsigned i) { return of_b(in, l, i); }, y);
    fill(c.get(), in.c, c_elements, [&](unsigned l, unsigned i) { return of_c(in, l, i); }, z);
    REQUIRE(run_multiply(in.name, a.get(), b.get(), c.get(), d.get()));
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    std::vector<unsigned char> want(4096);
    fill(
        want.data(), in.c, c_elements, [&](unsigned l, unsigned i) { return of_c(in, l, i); },
        [&](unsigned row, unsigned column) {
          int sum = z(row, column);
          for (unsigned k = 0; k < in.depth; ++k) sum += x(row, k) * y(k, column);
          return sum;
        });
    const std::size_t bytes = 32 * c_elements * static_cast<unsigned>(bits_of(in.c)) / 8;
    CHECK(std::memcmp(d.get(), want.data(), bytes) == 0);
  }
}

TEST_CASE("Multiply.SaturatesOrWraps") {
  const Managed<std::int32_t> a(128), b(64), c(128), d(128);
  for (int i = 0; i < 128; ++i) {
    a.get()[i] = b.get()[i % 64] = 0x01010101;
    c.get()[i] = 0x7FFFFFF0;
  }
  run_multiply("m16n8k32.row.col.s32.s8.s8.s32", a.get(), b.get(), c.get(), d.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(d.get()[77] == static_cast<std::int32_t>(0x80000010));
  run_multiply("m16n8k32.row.col.satfinite.s32.s8.s8.s32", a.get(), b.get(), c.get(), d.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(d.get()[77] == 0x7FFFFFFF);
}

TEST_CASE("Multiply.NeedsTheWholeWarp") {
  for (const bool other_has_mma : {false, true}) {
    float* out = nullptr;
    REQUIRE(cudaMallocManaged(&out, 32 * sizeof *out) == cudaSuccess);
    FindingCollector findings;
    run_divergent_multiply(other_has_mma, out);
    cudaDeviceSynchronize();
    INFO(findings.text());
    CHECK(findings.count() == 1);
    CHECK(findings.count(FindingId::kCollectiveMismatch) == 1);
    cudaDeviceReset();  // the error stays till then
  }
}

}  // namespace
}  // namespace offgrid::emu::test
