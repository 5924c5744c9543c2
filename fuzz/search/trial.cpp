// Runs one trial. See <offgrid/fuzz/trial.h>.
#include <offgrid/emu/engine.h>
#include <offgrid/emu/finding_collector.h>
#include <offgrid/emu/report.h>
#include <offgrid/fuzz/trial.h>

#include <exception>
#include <memory>

namespace offgrid::fuzz {
namespace {

/// A spin that lasts longer is a livelock; far less than a normal run allows, as most schedules are short.
constexpr std::uint64_t kLivelockYields = 1u << 14;

/// The engine under a policy, for as long as it lives.
class PolicyScope {
 public:
  explicit PolicyScope(emu::SchedulePolicy& policy) : saved_(emu::engine_settings()) {
    emu::EngineSettings settings = saved_;
    settings.policy = &policy;
    settings.workers = 1;
    settings.livelock_yields = kLivelockYields;
    emu::configure_engine(settings);
  }
  ~PolicyScope() { emu::configure_engine(saved_); }
  PolicyScope(const PolicyScope&) = delete;
  PolicyScope& operator=(const PolicyScope&) = delete;

 private:
  emu::EngineSettings saved_;
};

std::unique_ptr<emu::SchedulePolicy> policy_of(const Schedule& schedule) {
  if (const auto* spec = std::get_if<emu::PolicySpec>(&schedule)) return emu::make_policy(*spec);
  return std::make_unique<emu::SwitchPolicy>(std::get<emu::SwitchList>(schedule));
}

std::string first_line(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) return "";
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// Where the first site is, without the folder: the same in each build.
std::string place_of(const emu::Finding& finding) {
  if (finding.sites.empty()) return "";
  const emu::FindingSite& site = finding.sites.front();
  if (!site.where.file) return site.pc ? " at " + emu::place_of_code(site.pc) : "";
  const std::string file = site.where.file;
  return " at " + file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(site.where.line);
}

void judge(TrialResult& result, const Trial& trial, const cases::Outcome& outcome,
           const std::vector<emu::Finding>& findings) {
  for (const emu::Finding& finding : findings) {
    if (finding.severity == emu::Severity::kNote) continue;
    if (!result.failed) {
      result.failed = true;
      result.headline = emu::kind_name(finding) + ": " + finding.headline;
      result.key = trial.target->name + ": " + emu::kind_name(finding) + place_of(finding);
    }
    result.report += emu::format_finding(finding) + "\n";
  }
  if (outcome.status != cases::Status::kFailed) return;
  if (!result.failed) {
    result.headline = first_line(outcome.text);
    result.key = trial.target->name + ": wrong result";
  }
  result.failed = true;
  result.report += outcome.text;
}

}  // namespace

std::string to_text(const Schedule& schedule) {
  if (const auto* spec = std::get_if<emu::PolicySpec>(&schedule)) return emu::to_text(*spec);
  return "=" + emu::to_text(std::get<emu::SwitchList>(schedule));
}

Schedule parse_schedule(std::string_view text) {
  if (text.starts_with('=')) return emu::parse_switches(text.substr(1));
  return emu::parse_policy(text);
}

TrialResult run_trial(const Trial& trial, bool record) {
  const auto policy = policy_of(trial.schedule);
  return run_trial_under(*policy, trial, record);
}

TrialResult run_trial_under(emu::SchedulePolicy& policy, const Trial& trial, bool record) {
  TrialResult result;
  emu::RecordingPolicy recorder(policy, record ? std::size_t{1} << 22 : 0);
  const PolicyScope scope(recorder);
  emu::FindingCollector findings;
  cases::Outcome outcome;
  try {
    outcome = trial.target->run(Input(*trial.target, trial.shape, trial.input_seed));
  } catch (const std::exception& error) {
    outcome.fail("  " + std::string(error.what()) + "\n");
  }
  result.accesses = emu::accesses_explored();
  result.course = recorder.fingerprint();
  result.points = recorder.counted();
  judge(result, trial, outcome, findings.findings());
  if (record) {
    result.switches = recorder.as_switches();
    result.recorded = recorder.points();
  }
  return result;
}

SearchResult search(const Target& target, const Shape& shape, std::uint64_t input_seed, std::uint64_t search_seed,
                    std::uint64_t max_schedules) {
  SearchResult found;
  Search search{search_seed, 0};
  while (found.schedules < max_schedules) {
    const Trial trial{&target, shape, input_seed, search.schedule(found.schedules++)};
    found.result = run_trial(trial);
    if (found.schedules == 1) search.steps = found.result.accesses;
    if (!found.result.failed) continue;
    found.trial = trial;
    break;
  }
  return found;
}

}  // namespace offgrid::fuzz
