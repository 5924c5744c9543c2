// libFuzzer over the program's targets: bytes choose target, shape, input and schedule, so that coverage guides all
// four.
//
// A failure prints its token and aborts, which libFuzzer takes for a crash. Link with -fsanitize=fuzzer.
#include <offgrid/fuzz/token.h>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace offgrid::fuzz;

/// Numbers out of bytes; zeros when they are used up.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint64_t next(unsigned bytes) {
    std::uint64_t value = 0;
    for (; bytes > 0; --bytes) value = value << 8 | (at_ < size_ ? data_[at_++] : 0);
    return value;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

/// A first byte below 192 takes an edge, if there are edges.
std::int64_t value_of(const Parameter& p, Bytes& bytes) {
  const std::uint64_t choice = bytes.next(1);
  if (choice < 192 && !p.edges.empty()) return p.edges[choice % p.edges.size()];
  return p.min + static_cast<std::int64_t>(bytes.next(2) % static_cast<std::uint64_t>(p.max - p.min + 1));
}

Trial trial_of(Bytes bytes) {
  const auto targets = Targets::instance().all();
  Trial trial;
  trial.target = &targets[bytes.next(1) % targets.size()];
  for (const Parameter& p : trial.target->parameters) trial.shape.push_back(value_of(p, bytes));
  trial.input_seed = bytes.next(1);
  const auto names = offgrid::emu::policy_names();
  const std::uint64_t name = bytes.next(1) % names.size();
  trial.schedule = offgrid::emu::PolicySpec{std::string(names[name]), bytes.next(2), bytes.next(2)};
  return trial;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Trial trial = trial_of({data, size});
  const Target& target = *trial.target;
  if (target.accepts && !target.accepts(Input(target, trial.shape, trial.input_seed))) return -1;
  const TrialResult result = run_trial(trial);
  if (!result.failed) return 0;
  std::fprintf(stderr, "FOUND %s\n  %s\n  token %s\n", result.key.c_str(), result.headline.c_str(),
               to_token(trial).c_str());
  std::abort();
}
