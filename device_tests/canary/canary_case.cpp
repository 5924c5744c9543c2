// See canary_case.h.
#include "canary/canary_case.h"

#include <offgrid/portable/canary.h>
#include <offgrid/reference/float_format.h>

#include <string>

#include "canary/planted.h"
#include "cases/element_buffer.h"
#include "cases/judge.h"
#include "runner/run_case.h"

namespace offgrid::canary {
namespace {

using kernels::DataType;

constexpr int kRows = 7, kColumns = 9, kCount = kRows * kColumns;

const reference::FloatFormat& format_of(DataType type) {
  if (type == DataType::kFp32) return reference::kFp32;
  return type == DataType::kBf16 ? reference::kBf16 : reference::kE4m3;
}

cases::ResultTensor tensor(DataType type, std::vector<std::uint32_t> codes) {
  return {"out", std::string(kernels::name_of(type)), {{"rows", kRows}, {"d", kColumns}}, std::move(codes)};
}

// The planted kernel as any case would run it.
cases::Outcome run_planted(DataType type, Defect defect) {
  std::vector<std::uint32_t> in, want;
  for (int i = 0; i < kCount; ++i) {
    in.push_back(reference::encode(format_of(type), 0.5 * (i % 8) - 1));
    want.push_back(reference::encode(format_of(type), 1.0 * (i % 8) - 2));
  }
  const std::vector<gpu::BufferName::Dimension> dims{{"rows", kRows}, {"d", kColumns}};
  cases::ElementBuffer from("in", type, dims, in);
  cases::ElementBuffer to("out", type, dims, kCount);
  launch_planted(static_cast<int>(kernels::size_of(type)), from.data(), to.data(), kCount, defect);
  gpu::synchronize();
  cases::Outcome outcome;
  cases::check_poison(outcome, tensor(type, to.codes()), tensor(type, want));
  return outcome;
}

// Red zones also where they are off, for as long as it lives.
class WithCanaries {
 public:
  WithCanaries() : was_on_(gpu::Canaries::instance().is_on()) { gpu::Canaries::instance().turn(true); }
  WithCanaries(const WithCanaries&) = delete;
  WithCanaries& operator=(const WithCanaries&) = delete;
  ~WithCanaries() { gpu::Canaries::instance().turn(was_on_); }

 private:
  bool was_on_;
};

struct Planted {
  const char* name;
  Defect defect;
  const char* report;  ///< what the runner must say; empty: nothing
};

constexpr Planted kPlanted[] = {
    {"writes_behind", Defect::kWritesBehind,
     "a kernel wrote behind the end of `out` (%[rows 7, d 9]): element 63, 1 behind the last, holds 0x"},
    {"writes_before", Defect::kWritesBefore,
     "a kernel wrote before the start of `out` (%[rows 7, d 9]): element -1, 1 before the first, holds 0x"},
    {"leaves_out", Defect::kLeavesOut,
     "out[0, 5] was not written: it holds the poison that was there before the launch"},
    {"reads_behind", Defect::kReadsBehind,
     "out[0, 3] is NaN, where the truth is a number: poison of a buffer or its red zone reached it"},
    {"none", Defect::kNone, ""},
    {"none,last_written_twice", Defect::kWritesTheLast, ""},
};

cases::Outcome judge(const Planted& planted, DataType type) {
  const WithCanaries scope;
  const cases::Timed got = cases::run_case({"planted", [&] { return run_planted(type, planted.defect); }});
  std::string want = planted.report;
  if (const auto at = want.find('%'); at != std::string::npos) want.replace(at, 1, kernels::name_of(type));
  cases::Outcome outcome;
  const bool failed = got.outcome.status == cases::Status::kFailed;
  if (failed == want.empty() || got.outcome.text.find(want) == std::string::npos) {
    outcome.fail("  the runner " + std::string(failed ? "said" : "found nothing; it said") + ":\n" + got.outcome.text +
                 "  expected: " + (want.empty() ? "nothing" : want) + "\n");
  }
  return outcome;
}

}  // namespace

std::vector<cases::Case> canary_cases() {
  std::vector<cases::Case> all;
  for (const Planted& planted : kPlanted) {
    for (const DataType type : {DataType::kFp32, DataType::kBf16, DataType::kE4m3}) {
      all.push_back(
          {"canary(defect=" + std::string(planted.name) + ",dtype=" + std::string(kernels::name_of(type)) + ")",
           [planted, type] { return judge(planted, type); }});
    }
  }
  return all;
}

}  // namespace offgrid::canary
