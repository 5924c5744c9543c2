/// A case: a name with parameters, and a run that judges itself. Written once, used by tests, `offgrid run`, fuzzing
/// and benchmarks.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace offgrid::cases {

/// Four results, counted apart. Skipped: something is missing here, and the text says what. Waived: a known deviation.
enum class Status { kPassed, kFailed, kSkipped, kWaived };

/// How far a result was from the truth.
struct ErrorFigures {
  std::string tensor;    ///< "out"
  std::string format;    ///< "bf16"
  double max_abs = 0;    ///< |got - want|
  double max_rel = 0;    ///< |got - want| / |want|
  double max_ulp = 0;    ///< in spacings of the format at want
  double rms_rel = 0;    ///< sqrt(sum |got - want|^2 / sum want^2)
  double max_ratio = 0;  ///< |got - want| / allowed
};

struct Outcome {
  Status status = Status::kPassed;
  std::string text{};  ///< why it failed or was skipped, lines indented by two spaces; empty if it passed
  std::vector<ErrorFigures> figures{};

  /// Makes the outcome a failure and adds a reason.
  void fail(const std::string& reason);
};

/// One tensor of results as bit patterns, row major.
struct ResultTensor {
  std::string name;    ///< "out"
  std::string format;  ///< "bf16"
  std::vector<std::pair<std::string, std::int64_t>> dims;
  std::vector<std::uint32_t> codes;  ///< none of a large tensor that was read from a file
  std::uint64_t digest = 0;          ///< of a tensor that was read from a file: equal for equal codes
};

/// What a case gave, to be compared bit for bit with what it gives elsewhere.
struct Results {
  std::vector<ResultTensor> tensors{};
  std::string skipped{};  ///< not empty: there are none, and why
};

/// "name(parameter=value,...)": printed as such, and accepted by --only.
struct Case {
  std::string name;
  std::function<Outcome()> run;
  bool in_demo = false;  ///< one of the few that `offgrid demo` shows
  bool is_long = false;  ///< run only if asked for: --long, or a pattern that names it

  /// Runs on the inputs of the case, as a variant of it: "path=two_stage,inner=tensor_core"; empty: as it is. Without
  /// it the case takes no part in comparisons. errors  std::invalid_argument for a variant that has no meaning
  std::function<Results(std::string_view variant)> results = nullptr;

  /// Judges results that were got elsewhere, by the truth that run() has. Without it they are compared with those that
  /// results() gives here.
  std::function<Outcome(const Results& results)> judge = nullptr;

  std::string waiver{};  ///< not empty: a known deviation, and where it is told of; a failure then counts as waived
  int expected_findings = 0;  ///< of the emulator's checks: a legal program that it warns of
};

/// The process's cases, in the order they were added.
class Registry {
 public:
  static Registry& instance();

  /// errors  std::invalid_argument if a case of that name is there already
  void add(Case one);
  std::span<const Case> all() const { return cases_; }

  /// Cases whose name matches: a pattern with `*` or `?` is a glob for the whole name, any other is looked for in it. A
  /// pattern that is the name of a case chooses that one alone.
  std::vector<const Case*> select(std::string_view pattern) const;

 private:
  std::vector<Case> cases_;
};

/// Adds a table of cases before main(): `const AddCases kMine{my_table()};` at namespace scope.
struct AddCases {
  explicit AddCases(std::vector<Case> table);
};

}  // namespace offgrid::cases
