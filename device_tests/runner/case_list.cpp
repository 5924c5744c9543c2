// See case_list.h.
#include "runner/case_list.h"

#include <algorithm>
#include <istream>
#include <ostream>
#include <stdexcept>

namespace offgrid::cases {
namespace {

constexpr std::string_view kFirstLine = "offgrid-cases 1";

const Case* named(const std::string& name) {
  for (const Case& one : Registry::instance().all()) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

}  // namespace

void write_case_list(std::ostream& to, const std::vector<const Case*>& cases) {
  to << kFirstLine << "\n";
  for (const Case* one : cases) to << one->name << "\n";
  to << "end " << cases.size() << "\n";
}

std::vector<const Case*> read_case_list(std::istream& from) {
  std::vector<const Case*> cases;
  std::string line;
  int number = 0;
  const auto require = [&](bool ok, const std::string& rule) {
    if (!ok) throw std::runtime_error("line " + std::to_string(number) + " '" + line.substr(0, 60) + "': " + rule);
  };
  const auto next = [&] {
    ++number;
    const bool there = static_cast<bool>(std::getline(from, line));
    if (!there) line = "the end";
    return there;
  };
  require(next() && line == kFirstLine, "expected the first line '" + std::string(kFirstLine) + "'");
  while (true) {
    require(next(), "the list ends before its line 'end N': it was cut off");
    if (line.starts_with("end ")) break;
    const Case* one = named(line);
    require(one != nullptr, "this program has no such case; `list` shows them all");
    require(std::ranges::find(cases, one) == cases.end(), "this case is in the list twice");
    cases.push_back(one);
  }
  require(line == "end " + std::to_string(cases.size()), "the list has " + std::to_string(cases.size()) + " cases");
  require(!cases.empty(), "no cases in the list");
  return cases;
}

}  // namespace offgrid::cases
