// Shapes: text, generation, and what a target refuses.
#include <offgrid/fuzz/target.h>

#include <map>

#include "catch.h"
#include "input/shape_generator.h"

using namespace offgrid::fuzz;

namespace {

Target two_parameters() {
  Target target;
  target.name = "two";
  target.parameters = {{"n", 0, 1000, {0, 1, 31, 32, 33}}, {"k", -2, 2, {}}};
  target.run = [](const Input&) { return passed(); };
  return target;
}

}  // namespace

TEST_CASE("Shape.TextAndShapeAreTheSame") {
  const Target target = two_parameters();
  CHECK(target.name_of({33, -1}) == "two(n=33,k=-1)");
  CHECK(target.parse_shape("two(n=33,k=-1)") == Shape{33, -1});
  CHECK(target.smallest() == Shape{0, -2});
  for (const char* text : {"two", "two(n=33)", "two(n=33,k=3)", "two(n=33,k=1", "two(k=1,n=33)", "two(n=x,k=1)"}) {
    INFO(text);
    CHECK_THROWS_AS(target.parse_shape(text), std::invalid_argument);
  }
}

TEST_CASE("Shape.GeneratedOnesAreMostlyEdgesAndRepeat") {
  const Target target = two_parameters();
  unsigned edges = 0;
  std::map<std::int64_t, unsigned> k;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const auto shape = generate_shape(target, seed);
    REQUIRE(shape);
    REQUIRE(shape == generate_shape(target, seed));
    REQUIRE((*shape)[0] >= 0);
    REQUIRE((*shape)[0] <= 1000);
    const auto& e = target.parameters[0].edges;
    edges += std::find(e.begin(), e.end(), (*shape)[0]) != e.end();
    ++k[(*shape)[1]];
  }
  CHECK(edges > 700);  // 3 in 4, with a deviation of 14
  CHECK(edges < 800);
  CHECK(k.size() == 5);
}

TEST_CASE("Shape.RefusedOnesAreNotGenerated") {
  Target target = two_parameters();
  target.accepts = [](const Input& in) { return in["n"] > 0 && in["k"] == 2; };
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto shape = generate_shape(target, seed);
    if (shape) CHECK(((*shape)[0] > 0 && (*shape)[1] == 2));
  }
  target.accepts = [](const Input&) { return false; };
  CHECK_FALSE(generate_shape(target, 1));
}

TEST_CASE("Shape.WrongTargetsAreRefused") {
  Targets targets;
  targets.add(two_parameters());
  CHECK_THROWS_WITH(targets.add(two_parameters()), "two fuzz targets are named two");
  Target empty = two_parameters();
  empty.name = "empty";
  empty.parameters[0].max = -1;
  CHECK_THROWS_WITH(targets.add(empty), "fuzz target empty: no value for n");
  const Target two = two_parameters();
  CHECK_THROWS_WITH(Input(two, {1, 1}, 0)["m"], "target two has no parameter 'm'");
}
