/// Others' kernels in the profile `device`: contraction as nvcc has it, exact numerics. Built a second time without
/// contraction, the same test expects other bits.
///
/// source  one H200 (driver 580.159.04, CUDA 13.0). attention_rows_h200.bin: of 4 x 512 rows of 64 results the upper 32
///         bits of an FNV-1a over the words (fp16 full, causal, bf16 full, causal). Element-wise functions: the same
///         hash of 8192 results of PyTorch 2.11.0+cu130, 64 bits; operands x and y in elementwise_operands.bin
#include <offgrid/emu/engine.h>
#include <offgrid/emu/numerics/bfloat16.h>
#include <offgrid/emu/numerics/half.h>

#include <bit>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include "catch.h"
#include "kernels.h"

namespace offgrid::test {
namespace {

using emu::Numerics;

std::vector<std::uint32_t> stored_words(const std::string& name) {
  std::ifstream file(OFFGRID_NUMERICS_DATA "/" + name, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<std::uint32_t> words(bytes.size() / 4);
  for (std::size_t i = 0; i < words.size() * 4; ++i) {
    words[i / 4] |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (i % 4 * 8);
  }
  return words;
}

/// NaNs count as one.
std::uint64_t digest_of(std::span<const float> values) {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (const float value : values) {
    const std::uint32_t bits = value == value ? std::bit_cast<std::uint32_t>(value) : 0x7fffffffu;
    digest = (digest ^ bits) * 0x100000001b3;
  }
  return digest;
}

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

/// Bell-shaped numbers: a sum of eight 16-bit ones, exact in float, scaled and rounded.
std::uint16_t attention_input(bool bf16, std::uint64_t index) {
  int sum = -8 * 32768;
  for (const std::uint64_t word : {mixed(index * 2 + 900001), mixed(index * 2 + 900002)}) {
    for (unsigned part = 0; part < 4; ++part) sum += static_cast<int>(word >> 16 * part & 0xFFFF);
  }
  const float value = static_cast<float>(sum) * (1.0f / 53000.0f);
  return bf16 ? static_cast<__nv_bfloat16_raw>(__float2bfloat16_rn(value)).x
              : static_cast<__half_raw>(__float2half_rn(value)).x;
}

std::vector<std::uint16_t> attention_inputs(bool bf16, unsigned tensor) {
  constexpr std::uint64_t kTensor = 24 * kRows * kHeadDim;  // all heads; the stored results are of the first
  std::vector<std::uint16_t> values;
  for (std::uint64_t i = 0; i < kRows * kHeadDim; ++i) values.push_back(attention_input(bf16, tensor * kTensor + i));
  return values;
}

/// Of 2048 rows.
unsigned differing_attention_rows() {
  const std::vector<std::uint32_t> stored = stored_words("attention_rows_h200.bin");
  REQUIRE(stored.size() == 4 * kRows);
  unsigned differing = 0;
  for (unsigned variant = 0; variant < 4; ++variant) {
    const bool bf16 = variant >= 2, causal = variant % 2 != 0;
    const std::vector<float> out =
        attention(bf16, causal, attention_inputs(bf16, 0), attention_inputs(bf16, 1), attention_inputs(bf16, 2));
    for (unsigned row = 0; row < kRows; ++row) {
      const std::uint64_t digest = digest_of(std::span(out).subspan(row * kHeadDim, kHeadDim));
      differing += digest >> 32 != stored[variant * kRows + row] ? 1 : 0;
    }
  }
  return differing;
}

struct StoredElementwise {
  const char* name;
  std::uint64_t digest;
};
constexpr StoredElementwise kElementwise[] = {
    {"exp", 0x60d87c5b3943445c},   {"exp2", 0x1f7d3575729b5a4b},      {"log", 0x2e1671f2c89aa84d},
    {"log2", 0xccb3bc59f89db56d},  {"tanh", 0x2fe0cf2f9f5633d2},      {"erf", 0x29d54ab6292cd754},
    {"sin", 0x3766feb224c08576},   {"cos", 0x194da45969ba1256},       {"rsqrt", 0xa3d4f0fe91dc7e3a},
    {"sqrt", 0xe837987f7bd891d1},  {"sigmoid", 0x2bd58cb98741a390},   {"silu", 0xa4155b0d7571bd11},
    {"gelu", 0xa1178c322a003ca5},  {"gelu_tanh", 0xa06e6b911de9dc62}, {"softplus", 0xd8a801f8a400158c},
    {"expm1", 0x1b2ba67c270a3d5e}, {"log1p", 0x5364b8f4cf4f241b},     {"reciprocal", 0x9544a35d443d8383},
    {"pow", 0x7da2db1980e75cc8},   {"atan2", 0xe70c53ce23a1dfa0},     {"div", 0x66e8b5e49e43b11f},
};

std::string differing_elementwise() {
  const std::vector<std::uint32_t> words = stored_words("elementwise_operands.bin");
  REQUIRE(words.size() == 2 * 8192);
  std::vector<float> x, y;
  for (std::size_t i = 0; i < 8192; ++i) {
    x.push_back(std::bit_cast<float>(words[i]));
    y.push_back(std::bit_cast<float>(words[8192 + i]));
  }
  std::string names;
  for (int f = 0; f < static_cast<int>(std::size(kElementwise)); ++f) {
    if (digest_of(elementwise(f, x, y)) != kElementwise[f].digest) names += std::string(kElementwise[f].name) + " ";
  }
  return names;
}

void use(Numerics numerics) {
  emu::EngineSettings settings;
  settings.numerics = numerics;
  emu::configure_engine(settings);
}

}  // namespace

#if OFFGRID_CONTRACTION
TEST_CASE("ThirdParty.AttentionHasTheDevicesBits") {
  use(Numerics::kExact);
  CHECK(differing_attention_rows() == 0);
}

TEST_CASE("ThirdParty.ElementwiseFunctionsHaveTheDevicesBits") {
  use(Numerics::kExact);
  CHECK(differing_elementwise().empty());
}

TEST_CASE("ThirdParty.FastNumericsHasOtherBits") {
  use(Numerics::kFast);
  CHECK(differing_attention_rows() > 1000);
  CHECK_THAT(differing_elementwise(),
             ContainsSubstring("exp ") && ContainsSubstring("tanh ") && ContainsSubstring("erf "));
}
#else
TEST_CASE("ThirdParty.WithoutContractionBitsDiffer") {
  use(Numerics::kExact);
  CHECK(differing_attention_rows() > 1000);
  CHECK_THAT(differing_elementwise(), ContainsSubstring("gelu_tanh "));
}
#endif

}  // namespace offgrid::test
