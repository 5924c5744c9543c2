// Tables of operands, and host arithmetic in a rounding mode.
#pragma once

#include <cstdint>
#include <vector>

#include "probes/probe.h"

namespace offgrid::probes {

/// Every pair, or triple, of the values.
std::vector<Triple> pairs_of(const Words& values);
std::vector<Triple> triples_of(const Words& values);
std::vector<Triple> singles_of(const Words& values);
/// Each double as two words, low first; pairs of doubles do not fit a Triple, so the second operand is given by index
/// in a kernel's own table: here the high word of the second is c and its low word is 0.
std::vector<Triple> double_pairs_of(const std::vector<double>& values);

/// 0, 1, the ends of the range, alternating bits, ... and `random` words of splitmix64.
Words edge_words(int random);
/// Zeros, ones, neighbours of 1, subnormals, the ends of the range, infinities, a NaN, numbers whose sums and products
/// round in every direction.
Words edge_floats();
/// The same without infinities and NaN.
Words finite_floats();
std::vector<double> finite_doubles();

std::uint32_t float_bits(float x);
float float_of(std::uint32_t bits);
std::uint64_t double_bits(double x);
double double_of(std::uint32_t low, std::uint32_t high);

/// IEEE 754 operations of the host's processor in one rounding mode.
enum class Mode { kNearest, kZero, kUp, kDown };
float add(Mode mode, float a, float b);
float multiply(Mode mode, float a, float b);
float divide(Mode mode, float a, float b);
float square_root(Mode mode, float a);
float fused(Mode mode, float a, float b, float c);
double add(Mode mode, double a, double b);
double multiply(Mode mode, double a, double b);
double divide(Mode mode, double a, double b);
double square_root(Mode mode, double a);
double fused(Mode mode, double a, double b, double c);
float to_float(Mode mode, double x);
float to_float(Mode mode, std::int32_t x);
float to_float(Mode mode, std::uint32_t x);
float to_float(Mode mode, std::int64_t x);
double integral(Mode mode, double x);  ///< rounded to an integer

/// As device conversions saturate: NaN gives `nan`, numbers beyond the ends the ends.
std::int64_t saturated(double integral_value, std::int64_t low, std::int64_t high, std::int64_t nan);

/// 16-bit formats by the reference: the value of a code, and a value rounded to nearest even.
double half_value(std::uint32_t code);
double bf16_value(std::uint32_t code);
std::uint32_t half_code(double value);
std::uint32_t bf16_code(double value);
std::uint32_t e4m3_code_saturated(double value);
std::uint32_t e5m2_code_saturated(double value);

/// Codes of fp16: zeros, ones and their neighbours, subnormals, the ends, infinities, NaN.
Words edge_halves();
/// bf16 numbers whose sums and products are exact in fp64.
Words edge_bf16s();

}  // namespace offgrid::probes
