// The registry of cases and the matching of names. See <offgrid/cases/case.h>.
#include <offgrid/cases/case.h>

#include <stdexcept>
#include <utility>

namespace offgrid::cases {
namespace {

// Glob with * and ? for the whole text.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

void Outcome::fail(const std::string& reason) {
  status = Status::kFailed;
  text += reason;
}

Registry& Registry::instance() {
  static Registry registry;
  return registry;
}

void Registry::add(Case one) {
  for (const Case& other : cases_) {
    if (other.name == one.name) throw std::invalid_argument("two cases are named " + one.name);
  }
  cases_.push_back(std::move(one));
}

std::vector<const Case*> Registry::select(std::string_view pattern) const {
  const bool glob = pattern.find_first_of("*?") != std::string_view::npos;
  std::vector<const Case*> chosen;
  for (const Case& one : cases_) {
    if (one.name == pattern) return {&one};
  }
  for (const Case& one : cases_) {
    const bool hit = glob ? matches(pattern, one.name) : one.name.find(pattern) != std::string::npos;
    if (hit) chosen.push_back(&one);
  }
  return chosen;
}

AddCases::AddCases(std::vector<Case> table) {
  for (Case& one : table) Registry::instance().add(std::move(one));
}

}  // namespace offgrid::cases
