/// A small fp64 tensor whose dimensions have names, so that a message can say "out[batch 1, head 7, d 96]".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace offgrid::reference {

struct Dim {
  std::string name;
  std::int64_t size;
};

/// Dense, row major, outermost dimension first.
class Tensor {
 public:
  Tensor() = default;
  /// errors  std::invalid_argument if a size is negative
  explicit Tensor(std::vector<Dim> dims, double fill = 0.0);

  const std::vector<Dim>& dims() const { return dims_; }
  std::int64_t size(std::size_t dim) const { return dims_.at(dim).size; }
  std::int64_t count() const { return static_cast<std::int64_t>(values_.size()); }

  /// errors  std::out_of_range if an index, or the number of indices, does not fit
  std::int64_t flat(std::initializer_list<std::int64_t> index) const;
  double& at(std::initializer_list<std::int64_t> index) { return values_[static_cast<std::size_t>(flat(index))]; }
  double at(std::initializer_list<std::int64_t> index) const { return values_[static_cast<std::size_t>(flat(index))]; }

  /// The contiguous part below a prefix of indices: row({b, h}) of [batch, num_q_heads, head_dim] has head_dim values.
  std::span<double> row(std::initializer_list<std::int64_t> prefix);
  std::span<const double> row(std::initializer_list<std::int64_t> prefix) const;

  std::span<double> values() { return values_; }
  std::span<const double> values() const { return values_; }

 private:
  std::int64_t offset(std::initializer_list<std::int64_t> prefix, std::int64_t* below) const;

  std::vector<Dim> dims_;
  std::vector<double> values_;
};

/// "[batch 2, num_q_heads 16, head_dim 512]"
std::string shape_text(std::span<const Dim> dims);

/// The index of flat element `flat` along each dimension.
std::vector<std::int64_t> coordinates(std::span<const Dim> dims, std::int64_t flat);

}  // namespace offgrid::reference
