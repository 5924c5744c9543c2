// Tensor cores: stored results of an H200, and laws that need no device.
#include <offgrid/emu/numerics/tensor_core.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "catch.h"

namespace offgrid::emu {
namespace {

constexpr unsigned kProducts = 24;  // stored of each kind

struct Product {
  std::vector<std::uint16_t> a, b_columns;
  std::vector<std::uint32_t> c, d;
};

/// data/tensor_core_h200.bin: for fp16 and bf16 in depth 16, then both in depth 8, products one behind the other: a[16,
/// depth], b as [8, depth], c[16, 8], d[16, 8], little endian. Operands of twelve kinds: ordinary, any bits,
/// cancelling, at the limit of alignment, subnormal, large and small c, one sign, zeros, infinities and NaNs, all
/// exponents.
class Stored {
 public:
  Stored() : file_(OFFGRID_TENSOR_CORE_DATA, std::ios::binary) { REQUIRE(file_.good()); }
  Product next(unsigned depth) {
    return {read<std::uint16_t>(16 * depth), read<std::uint16_t>(8 * depth), read<std::uint32_t>(128),
            read<std::uint32_t>(128)};
  }

 private:
  template <class T>
  std::vector<T> read(std::size_t count) {
    std::vector<T> values(count);
    file_.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(T)));
    REQUIRE(file_.good());
    return values;
  }
  std::ifstream file_;
};

TEST_CASE("TensorCore.EqualsAnH200") {
  Stored stored;
  for (const unsigned depth : {16u, 8u}) {
    for (const TensorFormat format : {TensorFormat::kFp16, TensorFormat::kBf16}) {
      for (unsigned number = 0; number < kProducts; ++number) {
        INFO("depth " << depth << " format " << static_cast<int>(format) << " product " << number);
        const Product p = stored.next(depth);
        std::vector<std::uint32_t> got(128);
        tensor_multiply_add(format, depth, p.a.data(), p.b_columns.data(), p.c.data(), got.data());
        CHECK(got == p.d);
        for (unsigned row = 0; row < 16; ++row) {
          for (unsigned column = 0; column < 8; ++column) {
            got[row * 8 + column] =
                tensor_dot(format, &p.a[row * depth], &p.b_columns[column * depth], depth, p.c[row * 8 + column]);
          }
        }
        CHECK(got == p.d);
      }
    }
  }
}

std::uint32_t bits(float x) {
  std::uint32_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

/// sum of count products 1 x 1 of bf16, and c.
std::uint32_t ones(unsigned count, float c) {
  const std::vector<std::uint16_t> one(16, 0x3F80);
  return tensor_dot(TensorFormat::kBf16, one.data(), one.data(), count, bits(c));
}

TEST_CASE("TensorCore.CutsTowardZero") {
  CHECK(ones(16, 0.5f) == bits(16.5f));
  CHECK(ones(1, 0x1p24f) == bits(0x1p24f));        // to nearest even: the same
  CHECK(ones(3, 0x1p24f) == bits(0x1p24f + 2));    // to nearest even: + 4
  CHECK(ones(1, -0x1p25f) == bits(-0x1p25f + 2));  // the sum, toward zero: to nearest it would stay
  CHECK(ones(1, -0x1p26f) == bits(-0x1p26f));      // the term, before the sum
  CHECK(ones(16, 0x1p60f) == bits(0x1p60f));
  CHECK(ones(0, -0.0f) == 0);
}

}  // namespace
}  // namespace offgrid::emu
