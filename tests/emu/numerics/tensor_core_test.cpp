// Tensor cores: stored results of an H200, forms against the exact model, and laws that need no device.
#include <offgrid/emu/numerics/tensor_core.h>
#include <offgrid/emu/numerics/tensor_tile.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "catch.h"
#include "tensor_operands.h"

namespace offgrid::emu {
namespace {

using test::Matrix;
using test::OperandFormat;

/// An instruction of which results are stored.
struct Variant {
  const char* name;  ///< of the file of all results: NAME_d.bin
  unsigned rows, depth;
  TensorStep step;
  bool is_fp8_by_halves = false;
  unsigned sampled = 24;  ///< products in the sample; of 64 rows only 16

  bool is_half() const { return step.result == TensorResult::kHalf; }
};

constexpr TensorFormat kF16 = TensorFormat::kFp16, kBf16 = TensorFormat::kBf16, kTf32 = TensorFormat::kTf32,
                       kE4 = TensorFormat::kE4m3, kE5 = TensorFormat::kE5m2;

const Variant kVariants[] = {
    {"mma_m16n8k16_f32_f16", 16, 16, {kF16, kF16}},
    {"mma_m16n8k16_f32_bf16", 16, 16, {kBf16, kBf16}},
    {"mma_m16n8k8_f32_f16", 16, 8, {kF16, kF16}},
    {"mma_m16n8k8_f32_bf16", 16, 8, {kBf16, kBf16}},
    {"mma_m16n8k8_f32_tf32", 16, 8, {kTf32, kTf32}},
    {"mma_m16n8k16_f16_f16", 16, 16, {kF16, kF16, TensorResult::kHalf}},
    {"mma_m16n8k32_f32_e4m3", 16, 32, {kE4, kE4}, true},
    {"mma_m16n8k32_f32_e5m2", 16, 32, {kE5, kE5}, true},
    {"mma_m16n8k32_f32_e4m3_e5m2", 16, 32, {kE4, kE5}, true},
    {"wgmma_m64n8k16_f32_f16", 64, 16, {kF16, kF16}, false, 12},
    {"wgmma_m64n8k16_f32_bf16", 64, 16, {kBf16, kBf16}, false, 12},
    {"wgmma_m64n8k8_f32_tf32", 64, 8, {kTf32, kTf32}, false, 12},
    {"wgmma_m64n8k32_f32_e4m3", 64, 32, {kE4, kE4, TensorResult::kShortFloat, 13}, false, 12},
    {"wgmma_m64n8k32_f32_e5m2", 64, 32, {kE5, kE5, TensorResult::kShortFloat, 13}, false, 12},
};

const OperandFormat& operands_of(TensorFormat format) {
  static const OperandFormat kFormats[] = {test::kFp16Operand, test::kBf16Operand, test::kTf32Operand,
                                           test::kE4m3Operand, test::kE5m2Operand};
  return kFormats[static_cast<int>(format)];
}

/// The operands of one product: a[rows][depth], b[8][depth], c[rows][8].
struct Operands {
  std::vector<std::vector<std::uint32_t>> a, b, c;
};

std::uint32_t operand(const Variant& v, TensorFormat format, Matrix m, std::uint64_t product, test::Place place) {
  const std::uint32_t bits = test::tensor_operand(operands_of(format), m, product, v.depth, place);
  const auto noise = static_cast<std::uint32_t>(product * (m == Matrix::kA ? 977 : 1237)) & 0x1FFF;
  return format == kTf32 ? bits << 13 | noise : bits;
}

Operands operands(const Variant& v, std::uint64_t product, unsigned rows) {
  Operands o;
  o.a.resize(rows, std::vector<std::uint32_t>(v.depth));
  o.b.resize(8, std::vector<std::uint32_t>(v.depth));
  o.c.resize(rows, std::vector<std::uint32_t>(8));
  const OperandFormat& c_format = v.is_half() ? test::kFp16Operand : test::kFloatOperand;
  for (unsigned k = 0; k < v.depth; ++k) {
    for (unsigned row = 0; row < rows; ++row) o.a[row][k] = operand(v, v.step.a, Matrix::kA, product, {row, k, 0});
    for (unsigned column = 0; column < 8; ++column) {
      o.b[column][k] = operand(v, v.step.b, Matrix::kB, product, {0, k, column});
    }
  }
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      o.c[row][column] = test::tensor_operand(c_format, Matrix::kC, product, v.depth, {row, 0, column});
    }
  }
  return o;
}

/// [row, 8], row by row.
std::vector<std::uint32_t> by_model(const Variant& v, const TensorStep& step, const Operands& o) {
  std::vector<std::uint32_t> d;
  for (std::size_t row = 0; row < o.a.size(); ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      const std::uint32_t *a = o.a[row].data(), *b = o.b[column].data(), c = o.c[row][column];
      d.push_back(v.is_fp8_by_halves ? tensor_dot_fp8(step.a, step.b, a, b, c) : tensor_dot(step, a, b, v.depth, c));
    }
  }
  return d;
}

TensorTile tile_of(const Variant& v, const Operands& o, unsigned first_row) {
  TensorTile tile{};
  const unsigned bits = v.step.a == kTf32 ? 32 : v.is_fp8_by_halves ? 8 : 16, packed = 32 / bits;
  for (unsigned k = 0; k < v.depth; ++k) {
    for (unsigned row = 0; row < 16; ++row) {
      tile.a[k / packed][row] |= o.a[first_row + row][k] << (k % packed * bits % 32);
    }
    for (unsigned column = 0; column < 8; ++column) {
      tile.b[column][k / packed] |= o.b[column][k] << (k % packed * bits % 32);
    }
  }
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned column = 0; column < 8; ++column) tile.c[column][row] = o.c[first_row + row][column];
  }
  return tile;
}

bool has_tile(const Variant& v) { return v.step.result != TensorResult::kShortFloat; }

std::vector<std::uint32_t> by_tile(const Variant& v, const Operands& o, TensorForm form) {
  std::vector<std::uint32_t> d;
  for (unsigned first_row = 0; first_row < o.a.size(); first_row += 16) {
    TensorTile tile = tile_of(v, o, first_row);
    if (v.is_fp8_by_halves) {
      tensor_multiply_fp8(v.step.a, v.step.b, tile);
    } else {
      tensor_multiply(v.step, v.depth * (v.step.a == kTf32 ? 2 : 1) / 2, tile, form);
    }
    for (unsigned row = 0; row < 16; ++row) {
      for (unsigned column = 0; column < 8; ++column) d.push_back(tile.d[column][row]);
    }
  }
  return d;
}

int differing(const std::vector<std::uint32_t>& x, const std::vector<std::uint32_t>& y) {
  REQUIRE(x.size() == y.size());
  int count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) count += x[i] != y[i];
  return count;
}

std::vector<TensorForm> forms() {
  std::vector<TensorForm> all;
  for (const TensorForm form : {TensorForm::kScalar, TensorForm::kAvx2, TensorForm::kAvx512}) {
    if (has_tensor_form(form)) all.push_back(form);
  }
  return all;
}

class Words {
 public:
  explicit Words(const std::string& path) : file_(path, std::ios::binary) {
    INFO(path);
    REQUIRE(file_.good());
  }
  /// False at the end.
  bool read(std::vector<std::uint32_t>& words, unsigned bytes_each = 4) {
    for (std::uint32_t& word : words) {
      word = 0;
      if (!file_.read(reinterpret_cast<char*>(&word), bytes_each)) return false;
    }
    return true;
  }

 private:
  std::ifstream file_;
};

void compare(const Variant& v, std::uint64_t product, const std::vector<std::uint32_t>& device) {
  INFO(v.name << " product " << product);
  const Operands o = operands(v, product, static_cast<unsigned>(device.size() / 8));
  CHECK(differing(by_model(v, v.step, o), device) == 0);
  if (!has_tile(v)) return;
  for (const TensorForm form : forms()) {
    INFO("form " << static_cast<int>(form));
    CHECK(differing(by_tile(v, o, form), device) == 0);
  }
}

/// data/tensor_core_h200.bin: the results of the first products of each variant, [row, column], 16 rows; halves in two
/// bytes.
TEST_CASE("TensorCore.EqualsAnH200") {
  Words stored(OFFGRID_TENSOR_CORE_DATA);
  for (const Variant& v : kVariants) {
    for (unsigned product = 0; product < v.sampled; ++product) {
      std::vector<std::uint32_t> device(128);
      REQUIRE(stored.read(device, v.is_half() ? 2 : 4));
      compare(v, product, device);
    }
  }
}

/// All stored products: OFFGRID_TENSOR_CORE_RESULTS names the folder of the files NAME_d.bin.
TEST_CASE("TensorCore.EqualsAnH200InAllProducts", "[.][whole]") {
  const char* folder = std::getenv("OFFGRID_TENSOR_CORE_RESULTS");
  REQUIRE(folder != nullptr);
  for (const Variant& v : kVariants) {
    Words stored(std::string(folder) + "/" + v.name + "_d.bin");
    std::vector<std::uint32_t> device(v.rows * 8);
    std::uint64_t product = 0;
    for (; stored.read(device); ++product) compare(v, product, device);
    CHECK(product == (v.rows == 64 ? 96 : 240));
  }
}

/// Near misses of the model must not pass.
TEST_CASE("TensorCore.StoredResultsTellOtherRulesApart") {
  Words stored(OFFGRID_TENSOR_CORE_DATA);
  for (const Variant& v : kVariants) {
    int one_bit_less = 0, one_bit_more = 0, to_nearest = 0;
    for (unsigned product = 0; product < v.sampled; ++product) {
      std::vector<std::uint32_t> device(128);
      REQUIRE(stored.read(device, v.is_half() ? 2 : 4));
      if (v.is_fp8_by_halves) continue;
      const Operands o = operands(v, product, 16);
      TensorStep other = v.step;
      --other.fraction_bits;
      one_bit_less += differing(by_model(v, other, o), device);
      other.fraction_bits += 2;
      one_bit_more += differing(by_model(v, other, o), device);
      other = v.step;
      other.result = v.is_half() ? TensorResult::kFloat : TensorResult::kHalf;
      to_nearest += differing(by_model(v, other, o), device);
    }
    if (v.is_fp8_by_halves) continue;
    INFO(v.name);
    CHECK(one_bit_less > 0);
    CHECK(one_bit_more > 0);
    CHECK(to_nearest > 0);
  }
}

TEST_CASE("TensorCore.FormsAreEqual") {
  constexpr std::uint64_t kFirst = 1000, kProducts = OFFGRID_TENSOR_PRODUCTS;
  for (const Variant& v : kVariants) {
    if (v.rows != 16 || v.is_fp8_by_halves) continue;
    int wrong[3] = {};
    for (std::uint64_t product = kFirst; product < kFirst + kProducts; ++product) {
      const Operands o = operands(v, product, 16);
      const std::vector<std::uint32_t> exact = by_model(v, v.step, o);
      for (const TensorForm form : forms()) wrong[static_cast<int>(form)] += differing(by_tile(v, o, form), exact);
    }
    INFO(v.name);
    CHECK(wrong[0] == 0);
    CHECK(wrong[1] == 0);
    CHECK(wrong[2] == 0);
  }
}

std::uint32_t bits(float x) {
  std::uint32_t b;
  std::memcpy(&b, &x, sizeof b);
  return b;
}

/// sum of count products 1 x 1 of bf16, and c.
std::uint32_t ones(unsigned count, float c) {
  const std::vector<std::uint32_t> one(16, 0x3F80);
  return tensor_dot({kBf16, kBf16}, one.data(), one.data(), count, bits(c));
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

TEST_CASE("TensorCore.HalvesOfFp8") {
  CHECK(half_of_fp8(kE4, 0x01) == 0x1800);  // 2^-9
  CHECK(half_of_fp8(kE4, 0xFE) == 0xDF00);  // -448
  CHECK(half_of_fp8(kE4, 0x7F) == 0x7FFF);
  CHECK(half_of_fp8(kE4, 0x80) == 0x8000);
  CHECK(half_of_fp8(kE5, 0x01) == 0x0100);  // 2^-16, subnormal there too
  CHECK(half_of_fp8(kE5, 0xFC) == 0xFC00);
}

TEST_CASE("TensorCore.IntegersWrapOrSaturate") {
  TensorTile tile{};
  for (unsigned w = 0; w < 8; ++w) {
    for (unsigned row = 0; row < 16; ++row) tile.a[w][row] = 0x80FF7F01;
    for (unsigned column = 0; column < 8; ++column) tile.b[column][w] = 0x80FF0203;
  }
  tile.c[3][5] = 0x7FFFFFFF;
  tensor_multiply_integers({}, 8, tile);
  constexpr int kWord = 1 * 3 + 127 * 2 + -1 * -1 + -128 * -128;
  CHECK(tile.d[0][0] == 8 * kWord);
  CHECK(tile.d[3][5] == 0x7FFFFFFFu + 8 * kWord);
  tensor_multiply_integers({true, true, true}, 8, tile);
  CHECK(tile.d[3][5] == 0x7FFFFFFF);
  tensor_multiply_integers({false, true, false}, 4, tile);
  CHECK(tile.d[0][0] == static_cast<std::uint32_t>(4 * (1 * 3 + 127 * 2 + 255 * -1 + 128 * -128)));
  tensor_multiply_integers({true, false, false}, 4, tile);
  CHECK(tile.d[0][0] == static_cast<std::uint32_t>(4 * (1 * 3 + 127 * 2 + -1 * 255 + -128 * 128)));
}

TEST_CASE("TensorCore.DoublesAreAChain") {
  TensorTileF64 tile{};
  tile.a[0][2] = 0x1p53;
  tile.b[1][0] = 1;
  tile.a[1][2] = 1;
  tile.b[1][1] = 1;
  tile.a[2][2] = -0x1p53;
  tile.b[1][2] = 1;
  tile.c[1][2] = 1;
  tensor_multiply_f64(4, 8, tile);
  CHECK(tile.d[1][2] == 0);  // 1 + 2^53 and 2^53 + 1 are rounded to 2^53
}

}  // namespace
}  // namespace offgrid::emu
