// Cases that report findings, for waivers_run_test: what `offgrid run --waivers` makes of them.
#include <offgrid/cases/case.h>
#include <offgrid/emu/engine.h>
#include <offgrid/emu/finding.h>

namespace {

using namespace offgrid;

cases::Outcome report(const char* file, int times) {
  for (int i = 0; i < times; ++i) {
    emu::Finding finding;
    finding.id = emu::FindingId::kHostApiMisuse;
    finding.severity = emu::Severity::kError;
    finding.headline = "a planted finding";
    finding.sites.push_back({"at", {file, 7}, 0, ""});
    emu::finding_sink().add(std::move(finding));
  }
  return {};
}

const cases::AddCases kCases{{
    {"clean", [] { return cases::Outcome{}; }},
    {"known(times=1)", [] { return report("known.cu", 1); }},
    {"known(times=3)", [] { return report("known.cu", 3); }},  // repeats of the same finding, all of them folded
    {"other", [] { return report("other.cu", 1); }},
}};

}  // namespace
