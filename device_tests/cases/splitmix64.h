// The generator behind all inputs: the same numbers on every machine, from a seed and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace offgrid::cases {

/// splitmix64 (Steele, Lea, Flood 2014): one 64-bit state, one output a step.
class Splitmix64 {
 public:
  explicit Splitmix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  /// Below `bound`, which is at least 1. The bias of the remainder is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

  /// About normal, mean 0, variance 1: the sum of twelve uniform 16-bit numbers, which needs no library function and so
  /// is the same everywhere. Lies within +-6.
  double normal() {
    std::int64_t sum = 0;
    for (int i = 0; i < 3; ++i) {
      const std::uint64_t bits = next();
      for (int shift = 0; shift < 64; shift += 16) sum += static_cast<std::int64_t>((bits >> shift) & 0xFFFF);
    }
    return static_cast<double>(sum - 6 * 65535) / 65536.0;
  }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace offgrid::cases
