/// Every row of the finding table has a planted bug whose golden report shows it.
#include <offgrid/emu/report.h>

#include <filesystem>

#include "catch.h"
#include "golden.h"

using namespace offgrid::emu;

TEST_CASE("Findings.EveryKindHasAPlantedBug") {
  std::string reports;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(FINDINGS_FOLDER)) {
    if (entry.path().extension() == ".txt") reports += offgrid::test::read_file(entry.path());
  }
  for (int i = 0; i < static_cast<int>(FindingId::kCount); ++i) {
    const std::string kind(finding_info(static_cast<FindingId>(i)).kind);
    INFO(kind);
    const bool has_report = reports.find("[" + kind + "]: ") != std::string::npos ||
                            reports.find("[" + kind + "-read]: ") != std::string::npos;
    CHECK(has_report);
  }
}
