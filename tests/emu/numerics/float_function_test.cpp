/// Float functions against what an H200 gave: block sums over all 2^32 operands (function_sums.h). By default a sample
/// of the blocks; cases tagged [whole] compute every one.
#include <algorithm>
#include <atomic>
#include <thread>

#include "catch.h"
#include "float_functions.h"
#include "numerics/special_function_unit.h"

namespace offgrid::test {
namespace {

const FunctionSums& stored() {
  static const FunctionSums kSums(OFFGRID_FUNCTION_SUMS);
  return kSums;
}

/// The default sample: subnormals of both signs, small numbers, most of the binades from 2^-5 to 2^6, and negative
/// numbers around -1.
constexpr unsigned kSample[] = {0, 56, 61, 62, 63, 64, 65, 66, 128, 190, 191, 193};

/// The first operand of the first sampled block whose sum differs, or -1.
long long first_difference(FloatFunction function, unsigned index) {
  for (const unsigned block : kSample) {
    if (sum_of(function, sampled_block(block)) != stored().sampled(index, block)) return sampled_block(block).first;
  }
  return -1;
}

void check_sample(std::span<const StoredFunction> functions, unsigned first) {
  for (const StoredFunction& f : functions) {
    const long long operand = first_difference(f.exact, first++);
    INFO(f.name << ", first block of 2^20 operands that differs begins with bits " << std::hex << operand);
    CHECK(operand == -1);
  }
}

void check_that_naive_forms_differ(std::span<const StoredFunction> functions, unsigned first) {
  for (const StoredFunction& f : functions) {
    INFO(f.name);
    CHECK(first_difference(f.naive, first++) != -1);
  }
}

/// The wide blocks that differ, on all processors.
std::vector<unsigned> differing_wide_blocks(FloatFunction function, unsigned index) {
  std::vector<char> differs(kWideBlocks);
  std::atomic<unsigned> next{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back([&] {
      for (unsigned block; (block = next++) < kWideBlocks;) {
        differs[block] = sum_of(function, wide_block(block)) != stored().wide(index, block);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  std::vector<unsigned> blocks;
  for (unsigned b = 0; b < kWideBlocks; ++b) {
    if (differs[b] != 0) blocks.push_back(b);
  }
  return blocks;
}

void check_whole(std::span<const StoredFunction> functions, unsigned first) {
  for (const StoredFunction& f : functions) {
    INFO(f.name << ": blocks of 2^26 operands that differ");
    CHECK(differing_wide_blocks(f.exact, first++).empty());
  }
}

}  // namespace

TEST_CASE("SpecialFunction.GivesTheDevicesBits") { check_sample(special_function_forms(), 0); }
TEST_CASE("SpecialFunction.LibraryFormsDoNot") { check_that_naive_forms_differ(special_function_forms(), 0); }
TEST_CASE("SpecialFunction.AllOperandsGiveTheDevicesBits", "[.][whole]") { check_whole(special_function_forms(), 0); }

TEST_CASE("FastFunction.GivesTheDevicesBits") { check_sample(fast_functions(), kFirstFast); }
TEST_CASE("FastFunction.NaiveFormsDoNot") { check_that_naive_forms_differ(fast_functions(), kFirstFast); }
TEST_CASE("FastFunction.AllOperandsGiveTheDevicesBits", "[.][whole]") { check_whole(fast_functions(), kFirstFast); }

TEST_CASE("LibraryFunction.GivesTheDevicesBits") { check_sample(library_functions(), kFirstLibrary); }
TEST_CASE("LibraryFunction.NaiveFormsDoNot") { check_that_naive_forms_differ(library_functions(), kFirstLibrary); }
TEST_CASE("LibraryFunction.AllOperandsGiveTheDevicesBits", "[.][whole]") {
  check_whole(library_functions(), kFirstLibrary);
}

TEST_CASE("TruncatedSquare.DropsPartialProductsBelowBit18") {
  const auto by_definition = [](std::uint32_t x) {
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < 17; ++i) {
      for (unsigned j = 0; j < 17; ++j) {
        if (i + j >= 18 && (x >> i & 1) != 0 && (x >> j & 1) != 0) sum += 1u << (i + j - 18);
      }
    }
    return sum >> 1;
  };
  unsigned wrong = 0, as_product = 0;
  for (std::uint32_t x = 0; x < 1u << 17; ++x) {
    wrong += emu::numerics::truncated_square(x) != by_definition(x) ? 1 : 0;
    as_product += (std::uint64_t{x} * x >> 19) != by_definition(x) ? 1 : 0;
  }
  CHECK(wrong == 0);
  CHECK(as_product > 1u << 16);  // the whole product, cut afterwards, is another number for most x
}

}  // namespace offgrid::test
