// Order and statistics of comparisons, and the forms of their results.
#include <offgrid/timing/balanced.h>

#include <cmath>
#include <stdexcept>

#include "catch.h"
#include "timing/mla_decode_timing.h"
#include "timing/timing_report.h"

namespace t = offgrid::timing;

TEST_CASE("RunBalanced.GoesThereAndBackInEachBlock") {
  std::string order;
  const t::Arm arms[] = {{"a", [&] { return order += 'a', 1.0; }},
                         {"b", [&] { return order += 'b', 2.0; }},
                         {"c", [&] { return order += 'c', 3.0; }}};
  const auto samples = t::run_balanced(arms, 2, 1);
  CHECK(order == "abccbaabccbaabccba");
  REQUIRE(samples.size() == 3);
  CHECK(samples[1].arm == "b");
  CHECK(samples[1].values == std::vector<double>(4, 2.0));
  CHECK_THROWS_AS(t::run_balanced(arms, 0), std::invalid_argument);
  CHECK_THROWS_AS(t::run_balanced({}, 1), std::invalid_argument);
}

TEST_CASE("RunBalanced.ASteadyDriftCancels") {
  double clock = 0;  // each measurement is 1 slower than the one before
  const auto arm = [&](double time) { return [&clock, time] { return time + clock++; }; };
  const t::Arm arms[] = {{"a", arm(100)}, {"b", arm(90)}, {"c", arm(80)}};
  const auto samples = t::run_balanced(arms, 5, 0);
  CHECK(t::paired_difference(samples[0], samples[1]) == 10);
  CHECK(t::paired_difference(samples[0], samples[2]) == 20);
}

TEST_CASE("Statistics.OfFewValues") {
  const double odd[] = {3, 1, 2}, even[] = {4, 1, 2, 3};
  CHECK(t::summarise(odd).median == 2);
  CHECK(t::summarise(even).median == 2.5);
  CHECK(t::summarise(even).least == 1);
  CHECK(t::summarise(even).most == 4);
  CHECK_THROWS_AS(t::summarise({}), std::invalid_argument);
  // The ratio is of blocks, not of medians: 2 in each block here, though the blocks lie far apart.
  CHECK(t::paired_ratio({"a", {2, 2, 20, 20, 6, 6}}, {"b", {1, 1, 10, 10, 3, 3}}) == 2);
  CHECK_THROWS_AS(t::paired_ratio({"a", {1, 1}}, {"b", {1, 1, 1, 1}}), std::invalid_argument);
  const double means[] = {2, 8};
  CHECK(std::abs(t::geometric_mean(means) - 4) < 1e-12);
  const double none[] = {1, 0};
  CHECK_THROWS_AS(t::geometric_mean(none), std::invalid_argument);
}

namespace {

t::TimingReport two_rows() {
  t::TimingReport report{.device = "a \"device\"", .copy_bandwidth = 1e12, .calls = 20, .blocks = 1, .rows = {}};
  for (const bool in_mean : {true, false}) {
    t::TimingRow row;
    row.panel = "p<1>";
    row.shape = in_mean ? "1 x 128" : "64 x 4096";
    row.bytes = 1e6;
    row.flops = 3e6;
    row.in_mean = in_mean;
    row.measurements = {{"graph", {{"two-stage", {4, 4}}, {"direct", {in_mean ? 2.0 : 4.0, in_mean ? 2.0 : 4.0}}}}};
    report.rows.push_back(row);
  }
  return report;
}

}  // namespace

TEST_CASE("TimingReport.SaysTimesRatesAndMeans") {
  const t::TimingReport report = two_rows();
  CHECK(report.floor_us(report.rows[0]) == 1);
  CHECK(
      t::row_text(report, report.rows[0]) ==
      "p<1>, 1 x 128  floor 1.00 us\n"
      "  graph     two-stage 4.00 [4.00, 4.00] us  direct 2.00 [2.00, 2.00] us  2.000x, saves +2.000 us  0.50 TB/s, 2 "
      "TFLOP/s\n");
  CHECK(t::means_text(report) == "p<1>, graph: geometric mean 2.000x over 1 shapes\n");  // no control row
  CHECK(t::timing_json(report).starts_with("{\"device\":\"a \\\"device\\\"\",\"copy_bandwidth\":1e+12,\"calls\":20,"));
  CHECK(t::timing_json(report).find("{\"arm\":\"direct\",\"us\":[2,2]}") != std::string::npos);
}

TEST_CASE("TimingSvg.HasAPanelWithAllShapes") {
  const std::string svg = t::timing_svg(two_rows());
  CHECK(svg.starts_with("<svg "));
  CHECK(svg.ends_with("</svg>\n"));
  for (const char* part : {"p&lt;1>", "1 x 128", "64 x 4096", "two-stage", "direct", "1 us", "10 us", "50 %"}) {
    CHECK(svg.find(part) != std::string::npos);
  }
  CHECK(svg.find("p<1>") == std::string::npos);
}

TEST_CASE("MlaDecodeTiming.HasTheFifteenShapesAndRunsHere") {
  CHECK(t::mla_decode_shapes().size() == 15);
  t::TimingReport report{.device = "here", .copy_bandwidth = 1e9, .calls = 2, .blocks = 1, .rows = {}};
  int rows = 0;
  t::time_mla_decode({.heads = {16}, .caches = {"bf16", "e4m3"}, .shapes = {{2, 33}}, .calls = 2, .blocks = 1}, report,
                     [&](const t::TimingRow&) { ++rows; });
  CHECK(rows == 2);
  REQUIRE(report.rows.size() == 2);
  CHECK(report.rows[1].panel == "mla_decode, 16 heads, e4m3 cache");
  CHECK(report.rows[0].bytes - report.rows[1].bytes == 2 * 33 * 576);
  CHECK(report.rows[0].measurements.size() == 3);
  CHECK(report.rows[0].measurements[0].arms[1].values.size() == 2);
  CHECK_THROWS_AS(t::time_mla_decode({.caches = {"int8"}}, report, [](const t::TimingRow&) {}), std::invalid_argument);
  CHECK_THROWS_AS(t::time_mla_decode({.heads = {1}}, report, [](const t::TimingRow&) {}), std::invalid_argument);
}
