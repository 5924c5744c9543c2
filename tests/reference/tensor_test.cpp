// Tensor: indices, slices and the words for both.
#include <offgrid/reference/tensor.h>

#include <stdexcept>

#include "catch.h"

namespace ref = offgrid::reference;

TEST_CASE("Tensor.RowIsTheContiguousPartBelowAPrefix") {
  ref::Tensor t({{"batch", 2}, {"num_q_heads", 3}, {"head_dim", 4}});
  t.at({1, 2, 3}) = 5;
  CHECK(t.count() == 24);
  CHECK(t.values()[23] == 5);
  CHECK(t.row({1, 2}).size() == 4);
  CHECK(t.row({1, 2})[3] == 5);
  CHECK(t.row({1}).size() == 12);
}

TEST_CASE("Tensor.RefusesIndicesOutsideTheShape") {
  ref::Tensor t({{"batch", 2}, {"head_dim", 4}});
  CHECK_THROWS_AS(t.at({2, 0}), std::out_of_range);
  CHECK_THROWS_AS(t.at({0, -1}), std::out_of_range);
  CHECK_THROWS_AS(t.at({0}), std::out_of_range);
  CHECK_THROWS_AS(t.row({0, 0, 0}), std::out_of_range);
  CHECK_THROWS_AS(ref::Tensor({{"batch", -1}}), std::invalid_argument);
}

TEST_CASE("Tensor.CoordinatesInvertTheFlatIndex") {
  const ref::Tensor t({{"batch", 2}, {"num_q_heads", 3}, {"head_dim", 4}});
  CHECK(ref::coordinates(t.dims(), t.flat({1, 0, 2})) == std::vector<std::int64_t>{1, 0, 2});
  CHECK(ref::shape_text(t.dims()) == "[batch 2, num_q_heads 3, head_dim 4]");
}
