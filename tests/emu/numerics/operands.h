/// Operands for arithmetic tests: random codes, and codes that put the exact result on or next to a rounding tie.
#pragma once

#include <cstdint>
#include <vector>

#include "exact.h"

namespace operands {

/// splitmix64: equal seeds give equal operands everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(next() >> 32) % bound; }
  std::uint16_t code() { return static_cast<std::uint16_t>(next() >> 48); }

 private:
  std::uint64_t state_;
};

struct Triple {
  std::uint16_t a, b, c;
};

class TieSource {
 public:
  TieSource(exact::Shape shape, std::uint64_t seed);
  /// a * b on a tie or one unit beside it, c anywhere below (or near) the product's last place.
  Triple fma();
  /// a + b with b around half of a's last place; c is unused.
  Triple add();
  /// a * b on a tie, also of a subnormal result; c is unused.
  Triple mul();

 private:
  std::uint16_t number(int field, std::uint32_t fraction);

  exact::Shape shape_;
  int max_field_;
  Random random_;
  std::vector<Triple> tie_fractions_;  // (a, b): fractions whose product is halfway between two codes
};

}  // namespace operands
