#include "report/junit_report.h"

#include "captured_reporter.h"
#include "catch.h"
#include "golden.h"
#include "sample_findings.h"
#include "scratch_file.h"

using namespace offgrid::emu;
using namespace offgrid::test;

namespace {

const std::string kHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

std::string suite(const std::string& counts, const std::string& cases) {
  return kHead + "<testsuites name=\"offgrid\" " + counts + ">\n<testsuite name=\"report_test\" " + counts + ">\n" +
         cases + "</testsuite>\n</testsuites>\n";
}

std::string test_case(const std::string& name) {
  return "<testcase name=\"" + name + "\" classname=\"report_test\" time=\"0\"";
}

}  // namespace

TEST_CASE("JunitReport.ACleanRunIsOnePassingTest") {
  const ScratchFile file("report.xml");
  CapturedReporter reporter({.files = {{ReportFormat::kJunit, file.path()}}});
  reporter->finish(0);
  CHECK(read_file(file.path()) ==
        suite("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\"", test_case("no findings") + "/>\n"));
}

TEST_CASE("JunitReport.FindingsFailWaivedOnesAreSkippedOthersPass") {
  const ScratchFile file("report.xml");
  CapturedReporter reporter({.files = {{ReportFormat::kJunit, file.path()}},
                             .waivers = {{"oob-read", "*", "known.cu", 0, "padded <rows>", "w.txt", 1}}});
  Finding error = sample_read("k.cu", 4);
  error.headline = "read \"past\" the end";
  error.notes.clear();
  error.sites.resize(1);
  reporter->add(error);
  error.place.block = {1, 3, 0};
  reporter->add(error);
  reporter->add(sample_read("known.cu", 5));
  Finding warning;
  warning.id = FindingId::kHostApiMisuse;
  warning.severity = Severity::kWarning;
  warning.headline = "a & b";
  reporter->add(warning);
  reporter->finish(1);
  CHECK(read_file(file.path()) ==
        suite("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"",
              test_case("oob-read at k.cu:4 in paged_prefill&lt;fp16, 128&gt;") +
                  ">\n<failure message=\"read &quot;past&quot; the end\" type=\"oob-read\">"
                  "error[oob-read]: read &quot;past&quot; the end\n"
                  "  --&gt; k.cu:4   in paged_prefill&lt;fp16, 128&gt;\n"
                  "   = block (0, 3, 0) thread (33, 0, 0), warp 1 lane 1, launch #3 on stream 2\n"
                  "   = help: check the index against the size of the allocation\n"
                  "1 more like it: blocks (0, 3, 0)..(1, 3, 0), thread (33, 0, 0)\n"
                  "</failure>\n</testcase>\n" +
                  test_case("oob-read at known.cu:5 in paged_prefill&lt;fp16, 128&gt;") +
                  ">\n<skipped message=\"waived: padded &lt;rows&gt;\"/>\n</testcase>\n" +
                  test_case("host-api-misuse: a &amp; b") +
                  ">\n<system-out>warning[host-api-misuse]: a &amp; b\n</system-out>\n</testcase>\n"));
}

TEST_CASE("JunitReport.WarningsFailWhereTheyFailTheRun") {
  Finding warning = sample_read("k.cu", 4);
  warning.severity = Severity::kWarning;
  const auto failures = [&](Severity fail_on) {
    const ScratchFile file("report.xml");
    CapturedReporter reporter({.files = {{ReportFormat::kJunit, file.path()}}, .fail_on = fail_on});
    reporter->add(warning);
    reporter->finish();
    return count_of(read_file(file.path()), "<failure ");
  };
  CHECK(failures(Severity::kError) == 0);
  CHECK(failures(Severity::kWarning) == 1);
}

TEST_CASE("JunitReport.AFileOfARunThatHasNotEndedSaysSo") {
  const ScratchFile file("report.xml");
  CapturedReporter reporter({.files = {{ReportFormat::kJunit, file.path()}}});
  reporter->add(sample_read("k.cu", 4));
  CHECK(count_of(read_file(file.path()), "<error message=\"the program did not reach its end\"/>") == 1);
  reporter->finish();
  CHECK(count_of(read_file(file.path()), "<error ") == 0);
}

TEST_CASE("JunitReport.EscapesWhatXmlCannotHold") {
  CHECK(xml_text("a<b>&\"c\"\n\x01 \xFF") == "a&lt;b&gt;&amp;&quot;c&quot;\n\xEF\xBF\xBD \xEF\xBF\xBD");
}
