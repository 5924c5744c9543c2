// What mla_decode and its bound share: keys and values of one row, gathered through the page table, and a parallel loop
// over rows.
#pragma once

#include <offgrid/reference/mla_decode.h>

#include <cstdint>

namespace offgrid::reference {

/// The tokens of row b in their order, as one KV head sees them.
struct RowTokens {
  Matrix keys;        ///< [kv_len, head_dim]
  Matrix own_values;  ///< [kv_len, value_dim], or empty: the first columns of the keys
  std::int64_t value_dim;

  MatrixView values() const { return own_values.size() > 0 ? MatrixView(own_values) : keys.leftCols(value_dim); }
};
RowTokens gather_tokens(const MlaDecodeProblem& problem, std::int64_t b, std::int64_t kv_head);

/// The query of one head: [head_dim].
Vector query(const MlaDecodeProblem& problem, std::int64_t b, std::int64_t head);

/// Throws std::invalid_argument unless the shapes of the problem fit together.
void check_shapes(const MlaDecodeProblem& problem);

/// body(b) for every row, on all cores if OpenMP is there. body must not throw.
template <class Body>
void for_each_row(std::int64_t batch, const Body& body) {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic)
#endif
  for (std::int64_t b = 0; b < batch; ++b) body(b);
}

}  // namespace offgrid::reference
