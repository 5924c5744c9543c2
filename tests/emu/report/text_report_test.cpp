#include <offgrid/emu/report.h>

#include <algorithm>

#include "catch.h"
#include "sample_findings.h"
#include "scratch_file.h"

using namespace offgrid::emu;
using namespace offgrid::test;

TEST_CASE("TextReport.ShowsOneSiteWithArrowExcerptPlaceAndHelp") {
  const ScratchFile source("decode.cuh", "void f() {\n  row[i] = load8(kv[d]);\n}\n");
  const FormatOptions options{.base_directory = source.folder()};
  CHECK(format_finding(sample_read(source.path().c_str(), 2), options) ==
        "error[oob-read]: read of 16 B, one page past the end of `kv_cache`\n"
        "  --> " +
            source.name() +
            ":2   in paged_prefill<fp16, 128>\n"
            "2 |   row[i] = load8(kv[d]);\n"
            "   = element 368640 = [page 40, slot 0, d 0]\n"
            "   = block (0, 3, 0) thread (33, 0, 0), warp 1 lane 1, launch #3 on stream 2\n"
            "   = allocated at tests/decode_test.cpp:61\n"
            "   = help: check the index against the size of the allocation\n");
}

TEST_CASE("TextReport.ListsSeveralSitesInColumns") {
  Finding finding;
  finding.id = FindingId::kBarrierDivergence;
  finding.headline = "96 of 128 threads wait at a block barrier that 32 threads can no longer reach";
  finding.sites = {{"wait", {"k.cuh", 203}, 0, "warps 0..2"}, {"returned", {"other.cuh", 8}, 0, "warp 3"}};
  finding.place = sample_place();
  finding.place.has_block = true;
  finding.help = "guard the work after line 188";
  CHECK(format_finding(finding) ==
        "error[barrier-divergence]: 96 of 128 threads wait at a block barrier that 32 threads can no longer reach\n"
        "  wait       k.cuh:203     warps 0..2\n"
        "  returned   other.cuh:8   warp 3\n"
        "   = paged_prefill<fp16, 128>, block (0, 3, 0) of grid (1, 8, 1), block size (128, 1, 1), launch #1 on stream "
        "0\n"
        "   = help: guard the work after line 188\n");
}

TEST_CASE("TextReport.ValuesAreTheLastColumn") {
  Finding finding = sample_read("k.cuh", 158);
  finding.headline = "WAR hazard on `scores[32]`";
  finding.sites = {{"read", {"k.cuh", 158}, 0, "thread (0, 0, 0) warp 0 lane 0", {}, "saw 0.7310"},
                   {"write", {"k.cuh", 64}, 0, "thread (32, 0, 0) warp 1 lane 0", {}, "0.7310 -> 0.2040"},
                   {"wait", {"k.cuh", 70}, 0, ""},
                   {"last write", {"k.cuh", 152}, 0, "thread (32, 0, 0)", {}, "0.7310"}};
  finding.notes.clear();
  const std::string text = format_finding(finding);
  CHECK(text.find("  read    k.cuh:158   thread (0, 0, 0) warp 0 lane 0    saw 0.7310\n"
                  "  write   k.cuh:64    thread (32, 0, 0) warp 1 lane 0   0.7310 -> 0.2040\n"
                  "  wait    k.cuh:70\n") != std::string::npos);
  CHECK(text.find("   = last write at k.cuh:152, thread (32, 0, 0), 0.7310\n") != std::string::npos);
}

TEST_CASE("TextReport.AValueStandsBehindTheArrowOfASingleSite") {
  Finding finding = sample_read("k.cuh", 158);
  finding.sites[0].value = "saw 0.7310";
  CHECK(format_finding(finding).find("  --> k.cuh:158   in paged_prefill<fp16, 128>, saw 0.7310\n") !=
        std::string::npos);
}

TEST_CASE("TextReport.NamesTheElementsThatACheckFolded") {
  Finding finding = sample_read("gone.cu", 2);
  finding.element = ElementRange{"scale", 40, 63};
  CHECK(format_finding(finding).find("`scale`") == std::string::npos);
  finding.folded = 23;
  CHECK(format_finding(finding).find(";  23 more like this, folded: `scale` elements 40..63\n") != std::string::npos);
}

TEST_CASE("TextReport.NamesTheLaunchLineOfARefusedLaunch") {
  Finding finding;
  finding.id = FindingId::kLaunchConfig;
  finding.headline = "block has 1056 threads, the limit is 1024";
  finding.sites = {{"launch", {"decode_test.cpp", 88}, 0, ""}};
  finding.place = sample_place();
  finding.notes = {"grid (64, 8, 1)  block (33, 32, 1): 33 x 32 x 1 = 1056", "limit: threads per block, profile sm_90"};
  finding.help = "block (32, 32, 1) has 1024 threads and whole warps";
  CHECK(format_finding(finding) ==
        "error[launch-config]: block has 1056 threads, the limit is 1024\n"
        "  --> decode_test.cpp:88   launch of paged_prefill<fp16, 128>\n"
        "   = grid (64, 8, 1)  block (33, 32, 1): 33 x 32 x 1 = 1056\n"
        "   = limit: threads per block, profile sm_90\n"
        "   = help: block (32, 32, 1) has 1024 threads and whole warps\n");
}

TEST_CASE("TextReport.CountsFoldedFindingsBehindThePlace") {
  Finding finding = sample_read("gone.cu", 2);
  finding.folded = 31;
  const std::string text = format_finding(finding);
  CHECK(text.find("launch #3 on stream 2;  31 more like this, folded\n") != std::string::npos);
}

TEST_CASE("TextReport.StandsWithoutSitesAndPlace") {
  Finding finding;
  finding.id = FindingId::kHostApiMisuse;
  finding.severity = Severity::kWarning;
  finding.headline = "cudaFree of a pointer that was never allocated";
  CHECK(format_finding(finding) == "warning[host-api-misuse]: cudaFree of a pointer that was never allocated\n");
}

TEST_CASE("TextReport.GivesASymbolInsteadOfABareAddress") {
  Finding finding = sample_read(nullptr, 0);
  finding.sites = {{"read", {}, 0x10, ""}};
  const std::string text = format_finding(finding);
  CHECK(text.find("  --> in code that belongs to no module, kernel paged_prefill<fp16, 128>\n") != std::string::npos);
}

TEST_CASE("TextReport.ColoursOnlyWhenAsked") {
  const Finding finding = sample_read("gone.cu", 2);
  CHECK(format_finding(finding).find('\033') == std::string::npos);
  CHECK(format_finding(finding, {.colour = true}).find("\033[1;31merror[oob-read]\033[0m") == 0);
}

TEST_CASE("FindingTable.NamesEveryKindOnce") {
  std::vector<std::string> kinds;
  for (int i = 0; i < static_cast<int>(FindingId::kCount); ++i) {
    const FindingInfo& info = finding_info(static_cast<FindingId>(i));
    REQUIRE(info.id == static_cast<FindingId>(i));
    REQUIRE(std::count(kinds.begin(), kinds.end(), std::string(info.kind)) == 0);
    kinds.emplace_back(info.kind);
  }
}
