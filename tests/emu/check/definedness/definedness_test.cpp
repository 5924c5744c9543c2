// Device functions and undefined operands: the result is undefined, and only its use is reported.
#include <offgrid/emu/finding_collector.h>

#include <string>

#include "cases.h"
#include "catch.h"

namespace offgrid::emu::test {
namespace {

std::size_t findings_of(const DefinednessCase& c, Input input, std::string& text) {
  FindingCollector findings;
  c.run(input);
  text = findings.text();
  CHECK(findings.count() == findings.count(FindingId::kUninitialised));
  return findings.count();
}

void check_cases(const std::vector<DefinednessCase>& cases) {
  std::string text;
  for (const DefinednessCase& c : cases) {
    INFO(c.name);
    const std::size_t if_defined = findings_of(c, Input::kDefined, text);
    CHECK(if_defined == 0);
    const std::size_t if_masked = findings_of(c, Input::kMasked, text);
    CHECK((if_masked > 0) == (c.use == Use::kOperand));
    const std::size_t if_used = findings_of(c, Input::kUsed, text);
    INFO(text);
    CHECK((if_used > 0) == (c.use != Use::kNothing));
    if (c.use == Use::kResult) CHECK(if_used == 1);
  }
}

TEST_CASE("Definedness.Lanes") { check_cases(lane_cases()); }
TEST_CASE("Definedness.Math") { check_cases(math_cases()); }
TEST_CASE("Definedness.Memory") { check_cases(memory_cases()); }
TEST_CASE("Definedness.SmallNumbers") { check_cases(number_cases()); }
TEST_CASE("Definedness.Ptx") { check_cases(ptx_cases()); }
TEST_CASE("Definedness.Uses") { check_cases(use_cases()); }

}  // namespace
}  // namespace offgrid::emu::test
