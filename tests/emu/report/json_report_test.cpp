#include "report/json_report.h"

#include <nlohmann/json.hpp>

#include "catch.h"
#include "sample_findings.h"

using namespace offgrid::emu;
using namespace offgrid::test;

TEST_CASE("JsonReport.IsOneValidObjectALine") {
  Finding finding = sample_read("/src/decode.cuh", 142);
  finding.headline = "a \"quoted\" \\ headline\nwith\ttwo lines";
  finding.folded = 7;
  const std::string line = json_line(finding, {.base_directory = "/src"});
  REQUIRE(line.find('\n') == line.size() - 1);
  const nlohmann::json json = nlohmann::json::parse(line);
  CHECK(json["program"] == "report_test");
  CHECK(json["kind"] == "oob-read");
  CHECK(json["severity"] == "error");
  CHECK(json["headline"] == finding.headline);
  CHECK(json["folded"] == 7);
  CHECK(json["notes"].size() == 1);
  CHECK(json["help"] == "check the index against the size of the allocation");
  REQUIRE(json["sites"].size() == 2);
  CHECK(json["sites"][0]["role"] == "read");
  CHECK(json["sites"][0]["file"] == "decode.cuh");
  CHECK(json["sites"][0]["line"] == 142);
  CHECK(json["sites"][1]["role"] == "allocated");
}

TEST_CASE("JsonReport.GivesBlockAndThreadOnlyWhereTheyMeanSomething") {
  const auto place_of = [](const LaunchPlace& place) {
    Finding finding = sample_read("k.cu", 1);
    finding.place = place;
    return nlohmann::json::parse(json_line(finding))["place"];
  };
  const nlohmann::json lane = place_of(sample_lane_place());
  CHECK(lane["block"] == nlohmann::json({0, 3, 0}));
  CHECK(lane["thread"] == nlohmann::json({33, 0, 0}));
  CHECK(lane["warp"] == 1);
  const nlohmann::json launch = place_of(sample_place());
  CHECK(launch["grid"] == nlohmann::json({1, 8, 1}));
  CHECK(launch["kernel"] == "paged_prefill<fp16, 128>");
  CHECK_FALSE(launch.contains("block"));
  CHECK_FALSE(launch.contains("thread"));
}

TEST_CASE("JsonReport.HasValuesAndElements") {
  Finding finding = sample_read("k.cu", 1);
  finding.sites[0].value = "saw 0.5";
  CHECK_FALSE(nlohmann::json::parse(json_line(finding)).contains("element"));
  finding.element = ElementRange{"scale", 40, 63, "0..39"};
  const nlohmann::json json = nlohmann::json::parse(json_line(finding));
  CHECK(json["sites"][0]["value"] == "saw 0.5");
  CHECK(json["element"] == nlohmann::json({{"buffer", "scale"}, {"first", 40}, {"last", 63}, {"valid", "0..39"}}));
  finding.element->extents = {16, 17};
  CHECK(nlohmann::json::parse(json_line(finding))["element"]["extents"] == nlohmann::json({16, 17}));
}

TEST_CASE("JsonReport.ReplacesBytesThatAreNoUtf8") {
  Finding finding = sample_read("k.cu", 1);
  finding.headline = "gr\xC3\xBC\xC3\x9F \xFF \xC0\x80 \xED\xA0\x80 \xE2\x82";  // ends inside a sequence
  const std::string bad = "\xEF\xBF\xBD";
  CHECK(nlohmann::json::parse(json_line(finding))["headline"] ==
        "gr\xC3\xBC\xC3\x9F " + bad + " " + bad + bad + " " + bad + bad + bad + " " + bad + bad);
}
