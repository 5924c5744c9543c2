#include "report/waivers.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "captured_reporter.h"
#include "catch.h"
#include "golden.h"
#include "sample_findings.h"
#include "scratch_file.h"

using namespace offgrid::emu;
using namespace offgrid::test;

namespace {

/// What read_waivers says about a file of one line; empty if nothing.
std::string complaint(const std::string& line) {
  const ScratchFile file("waivers.txt", "\n" + line + "\n");
  try {
    read_waivers(file.path());
  } catch (const std::runtime_error& error) {
    const std::string text = error.what(), place = file.path() + ":2: ";
    return text.compare(0, place.size(), place) == 0 ? text.substr(place.size()) : "no place: " + text;
  }
  return "";
}

Waiver waiver_of(const std::string& line) {
  const ScratchFile file("waivers.txt", line + "\n");
  const std::vector<Waiver> waivers = read_waivers(file.path());
  REQUIRE(waivers.size() == 1);
  return waivers.front();
}

bool fits(const std::string& line, const std::string& kind, const std::string& kernel, const std::string& file,
          unsigned number) {
  return waives(waiver_of(line), kind, kernel, file, number);
}

}  // namespace

TEST_CASE("Waivers.ReadsColumnsReasonsAndComments") {
  const ScratchFile file("waivers.txt",
                         "# known in release 3\n\n"
                         "oob-read  copy<float, 4>  mla/decode.cuh:142  # padded rows, issue #12\n"
                         "early-exit\t*\t#no barrier follows\r\n"
                         "livelock spin k.cu # needs a device\n");
  const std::vector<Waiver> waivers = read_waivers(file.path());
  REQUIRE(waivers.size() == 3);
  CHECK(waivers[0].kind == "oob-read");
  CHECK(waivers[0].kernel == "copy<float, 4>");
  CHECK(waivers[0].file == "mla/decode.cuh");
  CHECK(waivers[0].line == 142);
  CHECK(waivers[0].reason == "padded rows, issue #12");
  CHECK(waivers[0].source_line == 3);
  CHECK(waivers[1].file.empty());
  CHECK(waivers[1].reason == "no barrier follows");
  CHECK(waivers[2].file == "k.cu");
  CHECK(waivers[2].line == 0);
}

TEST_CASE("Waivers.NamesWhatIsWrongWithALineAndTheFix") {
  const std::string example = "write for instance `oob-read mla_decode* decode.cuh:142  # why it is accepted`";
  CHECK(complaint("oob-read copy k.cu:3") == "a waiver needs a reason; " + example);
  CHECK(complaint("oob-read copy k.cu:3 #  ") == "a waiver needs a reason; " + example);
  CHECK(complaint("oob-read # why") == "a waiver names a kind and a kernel; " + example);
  CHECK(complaint("oob-read copy k.cu 3 # why").find("a waiver has two or three columns, not 4; ") == 0);
  CHECK(complaint("oob-reed copy # why").find("there is no kind of finding `oob-reed`; known are launch-config, ") ==
        0);
  for (const std::string place : {"k.cu:0", "k.cu:x", "k.cu:3x", "k.cu:", ":3", "k.cu:99999999999"}) {
    CHECK(complaint("oob-read copy " + place + " # why") ==
          "the third column is a file or file:line, not `" + place + "`; write for instance `decode.cuh:142`");
  }
  CHECK(complaint("oob-read copy k.cu:3 # why").empty());
}

TEST_CASE("Waivers.SaysIfThereIsNoSuchFile") {
  CHECK_THROWS_AS(read_waivers("/nonexistent/waivers.txt"), std::runtime_error);
  CHECK_THROWS_AS(read_waivers("/"), std::runtime_error);
}

TEST_CASE("Waivers.FitByKindKernelAndMainLine") {
  const std::string line = "oob-read copy* mla/k.cu:4 # why";
  CHECK(fits(line, "oob-read", "copy<float, 4>", "/src/mla/k.cu", 4));
  CHECK(fits(line, "oob-read", "copy", "mla/k.cu", 4));
  CHECK_FALSE(fits(line, "oob-write", "copy", "mla/k.cu", 4));
  CHECK_FALSE(fits(line, "oob-read", "my_copy", "mla/k.cu", 4));
  CHECK_FALSE(fits(line, "oob-read", "copy", "mla/k.cu", 5));
  CHECK_FALSE(fits(line, "oob-read", "copy", "k.cu", 4));
  CHECK_FALSE(fits(line, "oob-read", "copy", "/src/xmla/k.cu", 4));
  CHECK_FALSE(fits(line, "oob-read", "copy", "", 0));
}

TEST_CASE("Waivers.AKindWithoutDirectionFitsBoth") {
  CHECK(fits("oob copy # why", "oob-read", "copy", "", 0));
  CHECK(fits("oob copy # why", "oob-write", "copy", "", 0));
  CHECK_FALSE(fits("livelock copy # why", "livelock-x", "copy", "", 0));
}

TEST_CASE("Waivers.StarsStandForAnyText") {
  const auto kernel_fits = [](const std::string& pattern, const std::string& kernel) {
    return fits("oob-read " + pattern + " # why", "oob-read", kernel, "", 0);
  };
  CHECK(kernel_fits("*", ""));
  CHECK(kernel_fits("*", "copy"));
  CHECK(kernel_fits("*decode*", "mla_decode<bf16>"));
  CHECK(kernel_fits("a*b*b", "a_b_cb_b"));
  CHECK_FALSE(kernel_fits("a*b", "a_b_c"));
  CHECK_FALSE(kernel_fits("copy", "copy<4>"));
  CHECK_FALSE(kernel_fits("copy?", "copy4"));
}

TEST_CASE("Waivers.AWaivedFindingIsCountedAndListedButDoesNotFail") {
  const ScratchFile json("report.jsonl");
  CapturedReporter reporter({.files = {{ReportFormat::kJsonLines, json.path()}},
                             .waivers = {{"oob-read", "paged_prefill*", "k.cu", 4, "padded rows", "w.txt", 3}}});
  for (int i = 0; i < 3; ++i) reporter->add(sample_read("k.cu", 4));
  CHECK_FALSE(reporter->failed());
  CHECK(reporter->counts().errors == 0);
  CHECK(reporter->counts().waived == 1);
  CHECK(reporter->counts().folded == 0);
  reporter->finish();
  CHECK(reporter.text() ==
        "offgrid: waived error[oob-read] at k.cu:4 in paged_prefill<fp16, 128>, and 2 more like it: padded rows "
        "(w.txt:3)\n"
        "offgrid: 1 waived\n");
  const std::string lines = read_file(json.path());
  CHECK(nlohmann::json::parse(lines.substr(0, lines.find('\n')))["waived"] == "padded rows");
}

TEST_CASE("Waivers.OfAnotherKernelKindOrLineWaiveNothingAndAreNamed") {
  for (const Waiver& other : {Waiver{"oob-read", "paged_decode*", "k.cu", 4, "why", "w.txt", 3},
                              Waiver{"oob-write", "paged_prefill*", "k.cu", 4, "why", "w.txt", 3},
                              Waiver{"oob-read", "paged_prefill*", "k.cu", 5, "why", "w.txt", 3}}) {
    CapturedReporter reporter({.waivers = {other}});
    reporter->add(sample_read("k.cu", 4));
    reporter->finish();
    CHECK(reporter->failed());
    const std::string text = reporter.text();
    CHECK(text.find("error[oob-read]: ") == 0);
    CHECK(text.find("offgrid: note: w.txt:3: waiver " + waiver_columns(other) +
                    " matched nothing\noffgrid: 1 error\n") != std::string::npos);
  }
}

TEST_CASE("Waivers.TheUnusedAreNamedAlsoAfterACleanRun") {
  CapturedReporter reporter({.waivers = {{"oob-read", "copy", "", 0, "why", "w.txt", 3}}});
  reporter->finish();
  CHECK(reporter.text() == "offgrid: note: w.txt:3: waiver oob-read copy matched nothing\n");
}

TEST_CASE("Waivers.DoNotUseUpTheCap") {
  CapturedReporter reporter({.max_findings = 1, .waivers = {{"oob-read", "*", "known.cu", 0, "why", "w.txt", 3}}});
  reporter->add(sample_read("known.cu", 1));
  reporter->add(sample_read("k.cu", 4));
  CHECK(reporter.text().find("error[oob-read]: ") == 0);
}
