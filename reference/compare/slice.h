// Which part of a tensor a set of elements fills, in words: often the whole diagnosis ("all in num_q_heads 7").
#pragma once

#include <offgrid/reference/tensor.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace offgrid::reference {

class Slice {
 public:
  explicit Slice(std::vector<Dim> dims)
      : dims_(std::move(dims)), low_(dims_.size(), std::numeric_limits<std::int64_t>::max()), high_(dims_.size(), -1) {}

  void add(std::int64_t flat);

  /// "all in batch 1, value_dim 96..98"; dimensions filled from end to end are left out; empty if nothing was added.
  std::string text() const;

 private:
  std::vector<Dim> dims_;
  std::vector<std::int64_t> low_, high_;
  bool any_ = false;
};

}  // namespace offgrid::reference
