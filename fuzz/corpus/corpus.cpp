// Reads and runs corpus files. See <offgrid/fuzz/corpus.h>.
#include <offgrid/fuzz/corpus.h>
#include <offgrid/fuzz/token.h>

#include <fstream>
#include <sstream>

namespace offgrid::fuzz {
namespace {

constexpr std::uint64_t kSchedules = 60;

CorpusLine parse(const std::string& text) {
  std::istringstream words(text);
  std::string verdict, run, rest;
  words >> verdict >> run >> rest;
  if (verdict != "fails" && verdict != "passes") {
    throw std::invalid_argument("'" + verdict + "' must be fails or passes");
  }
  if (!rest.empty() && rest[0] != '#') throw std::invalid_argument("'" + rest + "' stands behind the run");
  const std::size_t input = run.find(";input="), schedule = run.find(";run=");
  if (input == run.npos || schedule == run.npos || schedule < input) {
    throw std::invalid_argument("'" + run + "' must be TARGET(SHAPE);input=SEED;run=SCHEDULE");
  }
  const std::string name = run.substr(0, input);
  CorpusLine line;
  line.fails = verdict == "fails";
  line.trial.target = Targets::instance().find(name.substr(0, name.find('(')));
  if (!line.trial.target) throw std::invalid_argument("this program has no target '" + name + "'");
  line.trial.shape = line.trial.target->parse_shape(name);
  line.trial.input_seed = std::stoull(run.substr(input + 7, schedule - input - 7));
  line.trial.schedule = parse_schedule(run.substr(schedule + 5));
  return line;
}

}  // namespace

std::vector<CorpusLine> read_corpus(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<CorpusLine> lines;
  unsigned number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (text.empty() || text[0] == '#') continue;
    try {
      lines.push_back(parse(text));
      lines.back().number = number;
    } catch (const std::exception& error) {
      throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  return lines;
}

std::string violation_of(const CorpusLine& line) {
  const Trial& trial = line.trial;
  TrialResult result = run_trial(trial);
  if (!result.failed) {
    const SearchResult found = search(*trial.target, trial.shape, trial.input_seed, 1, kSchedules);
    if (found.trial) result = found.result;
  }
  if (result.failed == line.fails) return "";
  const std::string name = trial.target->name_of(trial.shape);
  if (line.fails) return name + " must fail, and does not in " + std::to_string(kSchedules + 1) + " schedules";
  return name + " must not fail: " + result.key + "\n" + result.report;
}

}  // namespace offgrid::fuzz
