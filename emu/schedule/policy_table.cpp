// The policies by name. Adding a row is adding a policy to OFFGRID_SCHEDULE, to tokens and to `offgrid fuzz`.
#include <offgrid/emu/schedule.h>

#include <charconv>
#include <stdexcept>

#include "schedule/pct_policy.h"
#include "schedule/policies.h"

namespace offgrid::emu {
namespace {

using namespace schedule;
using Made = std::unique_ptr<SchedulePolicy>;

struct Row {
  std::string_view name;
  bool is_random;  ///< takes part in the portfolio's turns
  Made (*make)(const PolicySpec& spec);
};

constexpr Row kRows[] = {
    {"in-order", false, [](const PolicySpec&) -> Made { return std::make_unique<InOrder>(); }},
    {"reverse", false, [](const PolicySpec&) -> Made { return std::make_unique<Reverse>(); }},
    {"interleaved", false, [](const PolicySpec&) -> Made { return std::make_unique<Interleaved>(); }},
    {"random-sync", true, [](const PolicySpec& s) -> Made { return std::make_unique<Random>(s.seed, 0, false); }},
    {"pct-2", true, [](const PolicySpec& s) -> Made { return std::make_unique<Pct>(s.seed, 2, s.steps); }},
    {"random-1", true, [](const PolicySpec& s) -> Made { return std::make_unique<Random>(s.seed, 1, true); }},
    {"pct-3", true, [](const PolicySpec& s) -> Made { return std::make_unique<Pct>(s.seed, 3, s.steps); }},
    {"random-0.01", true, [](const PolicySpec& s) -> Made { return std::make_unique<Random>(s.seed, .01, true); }},
    {"preempt-1", true,
     [](const PolicySpec& s) -> Made { return std::make_unique<BoundedPreemption>(s.seed, 1, s.steps); }},
    {"random-0.1", true, [](const PolicySpec& s) -> Made { return std::make_unique<Random>(s.seed, .1, true); }},
    {"pct-1", true, [](const PolicySpec& s) -> Made { return std::make_unique<Pct>(s.seed, 1, s.steps); }},
    {"preempt-2", true,
     [](const PolicySpec& s) -> Made { return std::make_unique<BoundedPreemption>(s.seed, 2, s.steps); }},
};

const Row* find_row(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::string known_names() {
  std::string names;
  for (const Row& row : kRows) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

const Row& row_named(std::string_view name) {
  if (const Row* row = find_row(name)) return *row;
  throw std::invalid_argument("no schedule policy is named '" + std::string(name) + "'; known are " + known_names());
}

std::uint64_t number(std::string_view text, const char* what) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw std::invalid_argument(std::string(what) + " of a schedule policy must be a number, not '" +
                                std::string(text) + "'");
  }
  return value;
}

}  // namespace

std::vector<std::string_view> policy_names() {
  std::vector<std::string_view> names;
  for (const Row& row : kRows) names.push_back(row.name);
  return names;
}

std::unique_ptr<SchedulePolicy> make_policy(const PolicySpec& spec) { return row_named(spec.name).make(spec); }

PolicySpec parse_policy(std::string_view text) {
  PolicySpec spec;
  const std::size_t first = text.find(':');
  spec.name = std::string(text.substr(0, first));
  row_named(spec.name);
  if (first == text.npos) return spec;
  text.remove_prefix(first + 1);
  const std::size_t second = text.find(':');
  spec.seed = number(text.substr(0, second), "the seed");
  if (second != text.npos) spec.steps = number(text.substr(second + 1), "the number of steps");
  return spec;
}

std::string to_text(const PolicySpec& spec) {
  std::string text = spec.name + ":" + std::to_string(spec.seed);
  if (spec.steps != 0) text += ":" + std::to_string(spec.steps);
  return text;
}

PolicySpec portfolio(std::uint64_t search_seed, std::uint64_t n, std::uint64_t steps) {
  if (n < 2) return {n == 0 ? "in-order" : "reverse", 0, 0};
  std::vector<const Row*> turns;
  for (const Row& row : kRows) {
    if (row.is_random) turns.push_back(&row);
  }
  const Row& row = *turns[(n - 2) % turns.size()];
  return {std::string(row.name), mixed(search_seed * 0x2545F4914F6CDD1Du + n) >> 16, steps};
}

}  // namespace offgrid::emu
