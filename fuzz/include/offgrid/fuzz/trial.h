/// One run of a target under one schedule, and what came of it.
#pragma once

#include <offgrid/emu/schedule.h>
#include <offgrid/fuzz/target.h>

#include <optional>
#include <string>
#include <variant>

namespace offgrid::fuzz {

/// Who runs when: a policy, or a list of switches.
using Schedule = std::variant<emu::PolicySpec, emu::SwitchList>;
std::string to_text(const Schedule& schedule);  ///< "pct-2:7", "=s12>33"
/// errors  std::invalid_argument that says what is wrong
Schedule parse_schedule(std::string_view text);

struct Trial {
  const Target* target = nullptr;
  Shape shape{};
  std::uint64_t input_seed = 0;
  Schedule schedule{};
};

struct TrialResult {
  bool failed = false;
  std::string key{};         ///< what makes two failures the same: "race_tile: wrong result", "x: deadlock at k.cu:12"
  std::string headline{};    ///< first line of what went wrong
  std::string report{};      ///< all of it
  std::uint64_t course = 0;  ///< a number that runs of the same course share
  std::uint64_t points = 0;  ///< at which the schedule was asked
  std::uint64_t accesses = 0;
  emu::SwitchList switches{};                  ///< the run as a list, if it was asked for
  std::vector<emu::RecordedPoint> recorded{};  ///< likewise
};

/// Runs on one worker. Exceptions of the run are failures. Not from a kernel, one at a time.
TrialResult run_trial(const Trial& trial, bool record = false);

/// The same under a policy of the caller's, whatever schedule the trial names.
TrialResult run_trial_under(emu::SchedulePolicy& policy, const Trial& trial, bool record = false);

/// The nth schedule of a search, with the length that an in-order run had.
struct Search {
  std::uint64_t seed = 0;
  std::uint64_t steps = 0;
  Schedule schedule(std::uint64_t n) const { return emu::portfolio(seed, n, steps); }
};

struct SearchResult {
  std::uint64_t schedules = 0;  ///< runs until the failure, that one included; or all
  std::optional<Trial> trial{};
  TrialResult result{};
};

/// Tries schedules 0, 1, 2, ... until one fails.
SearchResult search(const Target& target, const Shape& shape, std::uint64_t input_seed, std::uint64_t search_seed,
                    std::uint64_t max_schedules);

}  // namespace offgrid::fuzz
