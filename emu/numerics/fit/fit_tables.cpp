// Writes special_function_tables.h from results of a device.
//
// Usage: fit_special_function_tables FOLDER > special_function_tables.h
// FOLDER holds the unpacked raw results, NAME_START.dz (raw_results.h): 2^23 consecutive operands a file.
//
// A function's argument chooses a segment by its high bits; x is what remains. Results of a whole segment leave one
// pair of coefficients. The constants of all segments of a function share their low bits (a rounding constant of the
// unit); that residue, too, is found and told.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "numerics/fit/raw_results.h"
#include "numerics/fit/segment_fit.h"
#include "numerics/special_function_segment.h"
#include "numerics/truncated_square.h"

namespace offgrid::emu::numerics {
namespace {

using Observations = std::vector<Observation>;

struct UnitFunction {
  const char* table;
  unsigned segments;
  std::int64_t modulus;     ///< the constants are equal modulo this
  unsigned quadratic_unit;  ///< the quadratic coefficients are multiples of it
  std::function<Observations(unsigned segment)> observe;
};

Observation observation(std::uint32_t x, std::uint32_t square_of, unsigned unit, std::int64_t low, std::int64_t high) {
  return {x, std::int64_t{truncated_square(square_of)} * unit, low, high};
}

/// Results inside one binade [bits of its first value, ...), one an argument: the sum is the significand << shift.
Observations significands(const std::uint32_t* results, unsigned x_bits, unsigned segment, std::uint32_t binade,
                          unsigned shift, unsigned unit = 1, bool skip_first = false) {
  Observations o;
  for (std::uint32_t x = skip_first && segment == 0 ? 1 : 0; x < 1u << x_bits; ++x) {
    const std::int64_t significand = std::int64_t{results[std::size_t{segment} << x_bits | x]} - binade + 0x800000;
    o.push_back(observation(x, x << (17 - x_bits), unit, significand << shift, ((significand + 1) << shift) - 1));
  }
  return o;
}

struct Magnitude {
  std::int64_t low, high;  ///< in units of 2^-fraction_bits, inclusive
};

/// What a result that was cut to 24 bits says of the value behind it.
Magnitude magnitude(std::uint32_t result, int fraction_bits) {
  const int shift = static_cast<int>(result >> 23 & 255) - 127 - 23 + fraction_bits;
  const std::int64_t low = std::int64_t{(result & 0x7FFFFF) | 0x800000} << shift;
  return {low, low + (std::int64_t{1} << shift) - 1};
}

/// log2 with 36 fraction bits, before the exponent is added and the sum cut; the unit cuts two bits first.
Observations logarithms(const std::map<int, std::vector<std::uint32_t>>& by_exponent, unsigned segment) {
  Observations o;
  for (std::uint32_t x = 0; x < 1u << 17; ++x) {
    for (const auto& [exponent, results] : by_exponent) {
      const std::uint32_t result = results[segment << 17 | x];
      if ((result & 0x7FFFFFFF) < 0x39000000) continue;  // says less than one unit, or is the exact zero of 1
      Magnitude m = magnitude(result, 36);
      if (result >> 31) m = {~m.high, ~m.low};
      const std::int64_t whole = std::int64_t{exponent} << 36;
      o.push_back(observation(x, x, 2, (m.low - whole) * 4, (m.high - whole) * 4 + 3));
    }
  }
  return o;
}

/// Sine of a quarter turn with 37 fraction bits, from results of sin and cos over several binades.
class SineObservations {
 public:
  explicit SineObservations(const std::string& folder) : ranges_(std::size_t{1} << 23, {0, std::int64_t{1} << 60}) {
    for (const std::uint32_t first : {0x3d000000u, 0x3e000000u, 0x3f000000u, 0x3f800000u}) {
      add(raw_results(folder, "sin", first), first, 0);
      add(raw_results(folder, "cos", first), first, 1);
    }
  }
  Observations operator()(unsigned segment) const {
    Observations o;
    for (std::uint32_t x = 0; x < 1u << 17; ++x) {
      const Magnitude& m = ranges_[segment << 17 | x];
      if (m.high < std::int64_t{1} << 60) o.push_back(observation(x, x, 1, m.low, m.high));
    }
    return o;
  }

 private:
  void add(const std::vector<std::uint32_t>& results, std::uint32_t first, unsigned quarter) {
    for (std::uint32_t i = 0; i < results.size(); ++i) {
      const std::uint32_t turns = quarter_turns(first + i);
      const std::uint32_t fraction = ((turns >> 23) + quarter) % 2 ? ~turns & 0x7FFFFF : turns & 0x7FFFFF;
      if ((results[i] & 0x7FFFFFFF) < 0x38800000) continue;  // says less than one unit
      const Magnitude m = magnitude(results[i] & 0x7FFFFFFF, 37);
      Magnitude& range = ranges_[fraction];
      range = {std::max(range.low, m.low), std::min(range.high, m.high)};
    }
  }
  /// x / 2 pi in quarter turns with 23 fraction bits, the product cut to 24 bits first as the instruction before does.
  static std::uint32_t quarter_turns(std::uint32_t operand) {
    const double product = static_cast<double>(__builtin_bit_cast(float, operand)) * 0x1.45f306p-3;
    const auto cut = __builtin_bit_cast(std::uint64_t, product) & ~((std::uint64_t{1} << 29) - 1);
    return static_cast<std::uint32_t>(std::floor(__builtin_bit_cast(double, cut) * 0x1p25));
  }
  std::vector<Magnitude> ranges_;
};

/// tanh has as many segments in a binade as its curve needs; x keeps 17 bits, so that results come in equal runs.
struct TanhBinade {
  int exponent;
  unsigned segments;
};
constexpr TanhBinade kTanhBinades[] = {{-8, 1}, {-7, 1}, {-6, 1}, {-5, 2}, {-4, 2}, {-3, 4},
                                       {-2, 4}, {-1, 4}, {0, 8},  {1, 16}, {2, 8}};

Observations tangents(const std::vector<std::uint32_t>& results, TanhBinade binade, unsigned segment) {
  const std::size_t run = results.size() / binade.segments >> 17;
  const std::uint32_t* first = results.data() + (results.size() / binade.segments) * segment;
  Observations o;
  for (std::uint32_t x = 0; x < 1u << 17; ++x) {
    const Magnitude m = magnitude(first[x * run], 41 - std::min(binade.exponent, 0));
    o.push_back(observation(x, x, 1, m.low, m.high));
  }
  return o;
}

/// Of the constants between lowest and highest the one that ends in most zero bits.
std::int64_t roundest(std::int64_t lowest, std::int64_t highest) {
  for (unsigned bits = 40;; --bits) {
    const std::int64_t candidate = ((lowest + (std::int64_t{1} << bits) - 1) >> bits) << bits;
    if (candidate <= highest) return candidate;
  }
}

/// The solution of one segment: any, as `common_residues` says that one exists for this residue.
Segment chosen(const std::vector<SegmentFit>& fits, std::int64_t modulus, std::int64_t residue, unsigned unit) {
  for (const SegmentFit& fit : fits) {
    const std::int64_t above = ((residue - fit.lowest_constant) % modulus + modulus) % modulus;
    std::int64_t constant = fit.lowest_constant + above;
    if (constant > fit.highest_constant) continue;
    if (modulus == 1) constant = roundest(fit.lowest_constant, fit.highest_constant);
    return {constant, static_cast<std::int32_t>(fit.linear), static_cast<std::int32_t>(fit.quadratic * unit)};
  }
  throw std::logic_error("no solution with the common residue");
}

void write_table(const UnitFunction& f) {
  std::vector<std::vector<SegmentFit>> fits;
  for (unsigned s = 0; s < f.segments; ++s) {
    fits.push_back(fit_segment(f.observe(s)));
    if (fits.back().empty())
      throw std::runtime_error(std::string(f.table) + ": no coefficients fit segment " + std::to_string(s));
  }
  const std::vector<std::int64_t> residues = common_residues(fits, f.modulus);
  if (residues.empty())
    throw std::runtime_error(std::string(f.table) + ": the segments have no rounding constant in common");
  std::printf("\n");
  if (f.modulus > 1) {
    std::printf("/// Constants are %lld modulo %lld", static_cast<long long>(residues.front()),
                static_cast<long long>(f.modulus));
    if (residues.size() > 1) std::printf("; %zu residues fit", residues.size());
    std::printf(".\n");
  }
  std::printf("inline constexpr Segment %s[] = {\n", f.table);
  for (const std::vector<SegmentFit>& fit : fits) {
    const Segment s = chosen(fit, f.modulus, residues.front(), f.quadratic_unit);
    std::printf("    {%lld, %d, %d},\n", static_cast<long long>(s.constant), s.linear, s.quadratic);
  }
  std::printf("};\n");
}

void write_tables(const std::string& folder) {
  std::printf(
      "/// Generated by fit/fit_tables.cpp from results of an NVIDIA H200 (driver 580.159.04): {constant, linear, "
      "quadratic} of\n"
      "/// each segment.\n#pragma once\n\n#include \"numerics/special_function_segment.h\"\n\n// clang-format off\n"
      "namespace offgrid::emu::numerics {\n");
  const auto ex2 = raw_results(folder, "ex2", 0x3f800000), rcp = raw_results(folder, "rcp", 0x3f800000);
  write_table(
      {"kEx2Segments", 64, 1 << 13, 1, [&](unsigned s) { return significands(ex2.data(), 17, s, 0x40000000, 15); }});
  write_table(
      {"kRcpSegments", 128, 1 << 13, 1, [&](unsigned s) { return significands(rcp.data(), 16, s, 0x3f000000, 15); }});
  const auto rsqrt = raw_results(folder, "rsq", 0x3f800000), sqrt = raw_results(folder, "sqrt", 0x3f800000);
  write_table({"kRsqrtSegments", 128, 1 << 14, 4,
               [&](unsigned s) { return significands(rsqrt.data(), 17, s, 0x3f000000, 16, 4, true); }});
  write_table({"kSqrtEvenSegments", 64, 1 << 15, 1,
               [&](unsigned s) { return significands(sqrt.data(), 17, s, 0x3f800000, 17, 1, true); }});
  write_table({"kSqrtOddSegments", 64, 1 << 14, 1,
               [&](unsigned s) { return significands(sqrt.data() + (1 << 23), 17, s, 0x3f800000, 16); }});
  std::map<int, std::vector<std::uint32_t>> lg2;
  for (const int exponent : {-1, 0, 1}) {
    lg2[exponent] = raw_results(folder, "lg2", static_cast<std::uint32_t>(127 + exponent) << 23);
  }
  write_table({"kLg2Segments", 64, 1 << 12, 2, [&](unsigned s) { return logarithms(lg2, s); }});
  write_table({"kSinSegments", 64, 1 << 11, 1, SineObservations(folder)});
  std::vector<std::vector<std::uint32_t>> tanh;
  std::vector<std::pair<std::size_t, unsigned>> places;  // binade, segment in it
  for (const TanhBinade& binade : kTanhBinades) {
    for (unsigned s = 0; s < binade.segments; ++s) places.emplace_back(tanh.size(), s);
    tanh.push_back(raw_results(folder, "tanh", static_cast<std::uint32_t>(127 + binade.exponent) << 23));
  }
  write_table({"kTanhSegments", static_cast<unsigned>(places.size()), 1, 1, [&](unsigned s) {
                 const auto [binade, segment] = places[s];
                 return tangents(tanh[binade], kTanhBinades[binade], segment);
               }});
  std::printf("\n}  // namespace offgrid::emu::numerics\n");
}

}  // namespace
}  // namespace offgrid::emu::numerics

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr,
                 "usage: fit_special_function_tables FOLDER > special_function_tables.h\n"
                 "FOLDER: raw results of a device, one file NAME_START.dz a function and binade\n");
    return 2;
  }
  try {
    offgrid::emu::numerics::write_tables(argv[1]);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fit_special_function_tables: error: %s\n", e.what());
    return 2;
  }
}
