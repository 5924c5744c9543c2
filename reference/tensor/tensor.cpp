// See <offgrid/reference/tensor.h>.
#include <offgrid/reference/tensor.h>

#include <stdexcept>

namespace offgrid::reference {

Tensor::Tensor(std::vector<Dim> dims, double fill) : dims_(std::move(dims)) {
  std::int64_t count = 1;
  for (const Dim& dim : dims_) {
    if (dim.size < 0) throw std::invalid_argument("dimension " + dim.name + " has a negative size");
    count *= dim.size;
  }
  values_.assign(static_cast<std::size_t>(count), fill);
}

std::int64_t Tensor::offset(std::initializer_list<std::int64_t> prefix, std::int64_t* below) const {
  if (prefix.size() > dims_.size()) throw std::out_of_range("more indices than dimensions");
  std::int64_t at = 0;
  std::size_t d = 0;
  for (const std::int64_t index : prefix) {
    if (index < 0 || index >= dims_[d].size) {
      throw std::out_of_range(dims_[d].name + " " + std::to_string(index) + " is not below " +
                              std::to_string(dims_[d].size));
    }
    at = at * dims_[d++].size + index;
  }
  *below = 1;
  for (; d < dims_.size(); ++d) *below *= dims_[d].size;
  return at * *below;
}

std::int64_t Tensor::flat(std::initializer_list<std::int64_t> index) const {
  if (index.size() != dims_.size()) throw std::out_of_range("one index a dimension is needed");
  std::int64_t below = 1;
  return offset(index, &below);
}

std::span<double> Tensor::row(std::initializer_list<std::int64_t> prefix) {
  std::int64_t below = 1;
  const std::int64_t at = offset(prefix, &below);
  return {values_.data() + at, static_cast<std::size_t>(below)};
}

std::span<const double> Tensor::row(std::initializer_list<std::int64_t> prefix) const {
  std::int64_t below = 1;
  const std::int64_t at = offset(prefix, &below);
  return {values_.data() + at, static_cast<std::size_t>(below)};
}

std::string shape_text(std::span<const Dim> dims) {
  std::string text = "[";
  for (const Dim& dim : dims) {
    if (text.size() > 1) text += ", ";
    text += dim.name + " " + std::to_string(dim.size);
  }
  return text + "]";
}

std::vector<std::int64_t> coordinates(std::span<const Dim> dims, std::int64_t flat) {
  std::vector<std::int64_t> index(dims.size());
  for (std::size_t d = dims.size(); d-- > 0;) {
    index[d] = flat % dims[d].size;
    flat /= dims[d].size;
  }
  return index;
}

}  // namespace offgrid::reference
