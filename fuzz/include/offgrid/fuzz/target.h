/// What is fuzzed: a name, the shapes that it may take, and a run that judges itself. A program registers its targets
/// before main(); `fuzz` and `replay` then work on them.
///
///   const AddTarget kScale{{"scale", {{"n", 1, 4096, {1, 31, 32, 33, 1024}}}, [](const Input& in) {
///     ...  // make inputs from in["n"] and in.seed, launch, compare with a reference
///     return wrong ? mismatch("y[3] is 7, want 9") : passed();
///   }}};
#pragma once

#include <offgrid/cases/case.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace offgrid::fuzz {

/// An integer of a shape: from min to max, more often one of the edges. The smallest is where shrinking goes.
struct Parameter {
  std::string name;
  std::int64_t min = 0, max = 0;
  std::vector<std::int64_t> edges{};
};

/// A value for each parameter of a target, in their order.
using Shape = std::vector<std::int64_t>;

struct Target;

/// What a run gets.
class Input {
 public:
  Input(const Target& target, const Shape& shape, std::uint64_t seed) : seed(seed), target_(target), shape_(shape) {}

  /// errors  std::invalid_argument if the target has no such parameter
  std::int64_t operator[](std::string_view parameter) const;
  int as_int(std::string_view parameter) const { return static_cast<int>((*this)[parameter]); }

  const std::uint64_t seed;  ///< for the values of inputs

 private:
  const Target& target_;
  const Shape& shape_;
};

struct Target {
  std::string name;
  std::vector<Parameter> parameters{};
  std::function<cases::Outcome(const Input&)> run{};
  /// Shapes that the target cannot take are left out by fuzzing; null: all are fine.
  std::function<bool(const Input&)> accepts{};

  /// The smallest values.
  Shape smallest() const;
  /// "scale(n=33)"
  std::string name_of(const Shape& shape) const;
  /// errors  std::invalid_argument that says what is wrong with the text, which begins with the target's name
  Shape parse_shape(std::string_view text) const;
};

inline cases::Outcome passed() { return {}; }
cases::Outcome mismatch(const std::string& what);

/// The process's targets, in the order they were added.
class Targets {
 public:
  static Targets& instance();
  /// errors  std::invalid_argument if a target of that name is there already, or has no run, or an empty range
  void add(Target target);
  std::span<const Target> all() const { return targets_; }
  const Target* find(std::string_view name) const;
  /// A pattern with * or ? is a glob for the name, any other is looked for in it; an empty one takes all.
  std::vector<const Target*> select(std::string_view pattern) const;

 private:
  std::vector<Target> targets_;
};

struct AddTarget {
  AddTarget(Target target) { Targets::instance().add(std::move(target)); }
};

/// Every registered case whose name matches, as a target without parameters.
void add_cases_as_targets(std::string_view pattern);

}  // namespace offgrid::fuzz
