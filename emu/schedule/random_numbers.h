/// splitmix64: small, and the same everywhere, so that a seed means the same run on each machine.
#pragma once

#include <cstdint>

namespace offgrid::emu::schedule {

/// Mixes a number well; 0 gives something else than 0.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(mixed(seed)) {}

  std::uint64_t next() { return mixed(state_ += 0x9E3779B97F4A7C15u); }
  /// Below n, which is at least 1.
  std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(next()) * n >> 64);
  }
  /// In (0, 1].
  double unit() { return static_cast<double>((next() >> 11) + 1) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace offgrid::emu::schedule
