#include "report/folded_range.h"

#include <offgrid/emu/report.h>

#include <nlohmann/json.hpp>

#include "captured_reporter.h"
#include "catch.h"
#include "sample_findings.h"

using namespace offgrid::emu;
using namespace offgrid::test;

namespace {

Finding read_of(long long element, Index3 block, Index3 thread) {
  Finding finding = sample_read("k.cu", 9);
  finding.element = ElementRange{"scale", element, element, "0..39"};
  finding.place.block = block;
  finding.place.thread = thread;
  return finding;
}

}  // namespace

TEST_CASE("FoldedRange.NamesElementsBlocksAndThreadsOfAll") {
  CapturedReporter reporter;
  reporter->add(read_of(41, {1, 0, 0}, {31, 0, 0}));
  reporter->add(read_of(63, {1, 0, 0}, {9, 1, 0}));
  reporter->add(read_of(40, {1, 0, 0}, {8, 1, 0}));
  reporter->finish();
  CHECK(reporter.text().find("offgrid: error[oob-read] at k.cu:9 in paged_prefill<fp16, 128>: 2 more like it, `scale` "
                             "elements 40..63 (valid 0..39), block (1, 0, 0), threads (8, 0, 0)..(31, 1, 0)\n") !=
        std::string::npos);
}

TEST_CASE("FoldedRange.TakesTheRangesThatChecksBring") {
  FoldedRange range;
  Finding finding = sample_read("k.cu", 9);
  finding.element = ElementRange{"scale", -3, 4};
  range.add(finding);
  finding.element = ElementRange{"scale", 2, 7};
  range.add(finding);
  CHECK(range.text() == "`scale` elements -3..7, block (0, 3, 0), thread (33, 0, 0)");
}

TEST_CASE("FoldedRange.CountsInTheDeclaredDimensions") {
  CHECK(element_index_text({}, 5) == "[5]");
  CHECK(element_index_text({40}, 41) == "[41]");
  CHECK(element_index_text({16, 17}, 40) == "[2][6]");
  CHECK(element_index_text({2, 3, 4}, 2 * 12 + 1) == "[2][0][1]");  // past the end
  CHECK(element_index_text({16, 17}, -1) == "[-1][16]");
  CHECK(element_text({"tile", 40, 51, "", {16, 17}}) == "`tile` elements [2][6]..[3][0]");
  CHECK(element_text({"allocation #3", 4, 4, ""}) == "allocation #3 element 4");
}

TEST_CASE("FoldedRange.KeepsBuffersApart") {
  FoldedRange range;
  range.add(read_of(40, {}, {}));
  Finding other = read_of(3, {}, {});
  other.element->buffer = "bias";
  range.add(other);
  CHECK(range.text() == "elements of several buffers, block (0, 0, 0), thread (0, 0, 0)");
  CHECK_FALSE(nlohmann::json::parse("{" + range.json_members() + "}").contains("element"));
}

TEST_CASE("FoldedRange.SaysNothingOfWhatIsUnknown") {
  FoldedRange range;
  Finding finding = sample_read("k.cu", 9);
  finding.place = sample_place();  // a launch, no block of it
  range.add(finding);
  CHECK(range.text().empty());
  finding.place.launch_number = 4;
  range.add(finding);
  CHECK(range.text() == "launches #1..#4");
}

TEST_CASE("FoldedRange.GivesProgramsTheSame") {
  FoldedRange range;
  range.add(read_of(40, {1, 0, 0}, {8, 0, 0}));
  range.add(read_of(63, {1, 0, 0}, {31, 1, 0}));
  CHECK(nlohmann::json::parse("{" + range.json_members() + "}") == nlohmann::json::parse(R"({
    "element": {"buffer": "scale", "first": 40, "last": 63, "valid": "0..39"},
    "blocks": [[1, 0, 0], [1, 0, 0]], "threads": [[8, 0, 0], [31, 1, 0]], "launches": [3, 3]})"));
}
