/// Operands for tests: repeatable random words, every third of them a bit pattern at an edge.
#pragma once

#include <cstdint>
#include <random>

class RandomWords {
 public:
  explicit RandomWords(std::uint64_t seed) : engine_(seed) {}

  std::uint32_t word() { return static_cast<std::uint32_t>(wide()); }
  std::uint64_t wide() {
    const std::uint64_t raw = engine_();
    if (raw % 3 != 0) return engine_();
    static constexpr std::uint64_t kEdges[] = {0,
                                               1,
                                               ~std::uint64_t{0},
                                               0x8000000080000000,
                                               0x7fffffff7fffffff,
                                               0x8000800080008000,
                                               0x7fff7fff7fff7fff,
                                               0x8080808080808080,
                                               0x7f7f7f7f7f7f7f7f,
                                               0x00ff00ff00ff00ff,
                                               0x8000000000000000,
                                               0x7fffffffffffffff};
    const std::uint64_t edge = kEdges[raw / 3 % std::size(kEdges)];
    return (raw >> 40 & 3) == 0 ? edge ^ std::uint64_t{1} << (raw >> 50 & 63) : edge;
  }
  int count(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }

 private:
  std::mt19937_64 engine_;
};
