#include "input/shape_generator.h"

#include <rapidcheck.h>

namespace offgrid::fuzz {
namespace {

rc::Gen<std::int64_t> values_of(const Parameter& p) {
  auto any = rc::gen::inRange<std::int64_t>(p.min, p.max + 1);
  if (p.edges.empty()) return any;
  return rc::gen::weightedOneOf<std::int64_t>({{3, rc::gen::elementOf(p.edges)}, {1, std::move(any)}});
}

}  // namespace

std::optional<Shape> generate_shape(const Target& target, std::uint64_t seed) {
  rc::Random random(seed);
  for (int attempt = 0; attempt < 100; ++attempt) {
    Shape shape;
    for (const Parameter& p : target.parameters) {
      shape.push_back(values_of(p)(random.split(), rc::kNominalSize).value());
    }
    if (!target.accepts || target.accepts(Input(target, shape, seed))) return shape;
  }
  return std::nullopt;
}

}  // namespace offgrid::fuzz
