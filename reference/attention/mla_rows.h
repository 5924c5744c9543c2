// What mla_decode and its bound share: the keys of one row, gathered through the page table, and a parallel loop over
// rows.
#pragma once

#include <offgrid/reference/mla_decode.h>

#include <cstdint>

namespace offgrid::reference {

/// The keys of row b in token order: [kv_len, head_dim].
Matrix gather_keys(const MlaDecodeProblem& problem, std::int64_t b);

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
