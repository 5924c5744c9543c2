/// Float functions of two operands against what an H200 gave for 2560 pairs, most near each other or near 1.
///
/// source  one H200, driver 580.159.04, CUDA 13.0. A row of the file: x, y, then powf, __powf, atan2f, hypotf, fmodf,
///         __fdividef and x / y, each 32 bits, lowest byte first
#include <offgrid/emu/numerics/float_functions.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "catch.h"

namespace offgrid::test {
namespace {

namespace n = emu::numerics;
using PairFunction = float (*)(float, float);

struct StoredPairFunction {
  const char* name;
  PairFunction exact, naive;
};

constexpr StoredPairFunction kFunctions[] = {
    {"powf", n::powf, [](float x, float y) { return std::pow(x, y); }},
    {"__powf", [](float x, float y) { return n::fast_powf(x, y); }, [](float x, float y) { return std::pow(x, y); }},
    {"atan2f", n::atan2f, [](float y, float x) { return std::atan2(y, x); }},
    {"hypotf", n::hypotf, [](float x, float y) { return std::hypot(x, y); }},
    {"fmodf", n::fmodf, [](float x, float y) { return std::remainder(x, y); }},
    {"__fdividef", [](float x, float y) { return n::fast_fdividef(x, y); }, [](float x, float y) { return x / y; }},
    {"x / y", [](float x, float y) { return x / y; }, [](float x, float y) { return n::div_full(x, y); }},
};
constexpr std::size_t kColumns = 2 + std::size(kFunctions);

std::vector<std::uint32_t> stored_words() {
  std::ifstream file(OFFGRID_FUNCTION_PAIRS, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<std::uint32_t> words(bytes.size() / 4);
  for (std::size_t i = 0; i < words.size() * 4; ++i) {
    words[i / 4] |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << (i % 4 * 8);
  }
  return words;
}

/// NaNs count as one.
bool same(float x, std::uint32_t bits) {
  const bool is_nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
  return is_nan ? x != x : std::bit_cast<std::uint32_t>(x) == bits;
}

}  // namespace

TEST_CASE("PairFunction.GivesTheDevicesBitsAndNaiveFormsDoNot") {
  const std::vector<std::uint32_t> words = stored_words();
  REQUIRE(words.size() == 2560 * kColumns);
  for (std::size_t f = 0; f < std::size(kFunctions); ++f) {
    unsigned wrong = 0, naive_wrong = 0;
    for (std::size_t row = 0; row < words.size(); row += kColumns) {
      const auto x = std::bit_cast<float>(words[row]), y = std::bit_cast<float>(words[row + 1]);
      wrong += same(kFunctions[f].exact(x, y), words[row + 2 + f]) ? 0 : 1;
      naive_wrong += same(kFunctions[f].naive(x, y), words[row + 2 + f]) ? 0 : 1;
    }
    INFO(kFunctions[f].name);
    CHECK(wrong == 0);
    CHECK(naive_wrong > 0);
  }
}

}  // namespace offgrid::test
