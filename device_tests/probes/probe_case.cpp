// See probe_case.h.
#include "probes/probe_case.h"

#include <offgrid/portable/device_buffer.h>

#include <stdexcept>
#include <utility>

#include "probes/waivers.h"
#include "runner/against.h"

namespace offgrid::probes {
namespace {

cases::ResultTensor tensor(const Probe& probe, Words words) {
  return {"out", probe.format, {{"word", static_cast<std::int64_t>(words.size())}}, std::move(words)};
}

}  // namespace

cases::ResultTensor run_probe(const Probe& probe) {
  const gpu::DeviceBuffer<std::uint32_t> in({"in", "u32", {{"word", probe.in.size()}}}, std::span(probe.in));
  gpu::DeviceBuffer<std::uint32_t> out({"out", "u32", {{"word", probe.outputs}}}, probe.outputs);
  out.fill(0xFF);
  probe.launch(in.data(), out.data());
  gpu::check_launch("launch of a probe");
  gpu::synchronize();
  return tensor(probe, out.download());
}

cases::Outcome judge_probe(const Probe& probe, const cases::ResultTensor& got) {
  return cases::compare_results({{got}}, {{tensor(probe, probe.expected())}}, "expected");
}

std::vector<cases::Case> probe_cases() {
  std::vector<cases::Case> all;
  for (const Probe& probe : all_probes()) {
    cases::Case one{"probe(" + probe.name + ")", [probe] { return judge_probe(probe, run_probe(probe)); }};
    one.results = [probe](std::string_view variant) -> cases::Results {
      if (!variant.empty()) return {{}, "a probe has no variants"};
      return {{run_probe(probe)}};
    };
    one.judge = [probe](const cases::Results& got) { return judge_probe(probe, got.tensors.at(0)); };
    one.waiver = waiver_of(probe.name);
    one.expected_findings = probe.warnings;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace offgrid::probes
