// Files of results and of cases: written, read, damaged, compared, judged.
#include <offgrid/cases/commands.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.h"
#include "golden.h"
#include "runner/case_list.h"
#include "runner/results_file.h"
#include "runner/tensor_difference.h"

namespace c = offgrid::cases;

namespace {

c::ResultTensor tensor(std::string format, std::vector<std::uint32_t> codes) {
  const auto n = static_cast<std::int64_t>(codes.size());
  return {"out", std::move(format), {{"rows", n / 2}, {"d", 2}}, std::move(codes)};
}

c::ResultsFile small_file() {
  c::ResultsFile file{{"NVIDIA H200", "driver 13.0, runtime 13.0", "gcc 13.3.0, CUDA 13.0", "8c3f"}, {}};
  file.cases.push_back({"copy(n=1)", {{tensor("fp32", {0x3f800000, 0x40000000, 0x7fffffff, 0})}}});
  file.cases.push_back({"copy(n=2)", {{tensor("bf16", {0x3f80, 0x4000})}}});
  file.cases.push_back({"vote()", {{tensor("u32", {1, 0xffffffff})}}});
  file.cases.push_back({"paged()", {{}, "needs clusters"}});
  return file;
}

std::string text_of(const c::ResultsFile& file) {
  std::ostringstream text;
  c::write_results(text, file);
  return text.str();
}

/// What is wrong with it, or "accepted".
std::string problem(const std::string& text) {
  std::istringstream from(text);
  try {
    c::read_results(from);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

/// A folder of its own, and commands run in it.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("offgrid-results-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string write(const char* name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }

  /// The exit status; what it printed is in `printed` afterwards.
  int run(int (*command)(std::span<char*>), std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    const std::string file = (path_ / "printed").string();
    std::fflush(stdout);
    std::fflush(stderr);
    const int out = dup(1), err = dup(2);
    REQUIRE(std::freopen(file.c_str(), "w", stdout) != nullptr);
    dup2(1, 2);
    int status = 2;
    try {
      status = command(arguments);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    std::fflush(stdout);
    std::fflush(stderr);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    printed = offgrid::test::read_file(file);
    return status;
  }

  std::string printed;

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("Results.AreReadAsTheyWereWritten") {
  const c::ResultsFile file = small_file();
  std::istringstream from(text_of(file));
  const c::ResultsFile back = c::read_results(from);
  CHECK(back.origin.device == "NVIDIA H200");
  CHECK(back.origin.build == "8c3f");
  REQUIRE(back.cases.size() == 4);
  CHECK(back.find("copy(n=1)")->tensors[0].codes == file.cases[0].second.tensors[0].codes);
  CHECK(back.find("copy(n=1)")->tensors[0].dims == file.cases[0].second.tensors[0].dims);
  CHECK(back.find("paged()")->skipped == "needs clusters");
  CHECK(back.find("copy") == nullptr);
}

TEST_CASE("Results.OfLargeTensorsAreKeptAsDigests") {
  c::ResultsFile file = small_file();
  std::vector<std::uint32_t> codes(c::kRawElements + 2, 0x3f80);
  file.cases[1].second.tensors[0] = tensor("bf16", codes);
  const std::uint64_t digest = c::digest(file.cases[1].second.tensors[0]);
  std::istringstream from(text_of(file));
  const auto t = c::read_results(from).cases[1].second.tensors[0];
  CHECK(t.codes.empty());
  CHECK(t.digest == digest);
  codes.back() ^= 1;
  CHECK(c::digest(tensor("bf16", codes)) != digest);
}

TEST_CASE("Results.DigestsTakeAllNansForOne") {
  CHECK(c::digest(tensor("fp32", {0x7fc00000, 1})) == c::digest(tensor("fp32", {0xffffffff, 1})));
  CHECK(c::digest(tensor("u32", {0x7fc00000, 1})) != c::digest(tensor("u32", {0xffffffff, 1})));
}

TEST_CASE("Results.EveryFlippedBitIsNoticed") {
  const std::string text = text_of(small_file());
  REQUIRE(problem(text) == "accepted");
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[i] = static_cast<char>(damaged[i] ^ 1 << bit);
      if (problem(damaged) == "accepted") FAIL("byte " << i << " bit " << bit << " of\n" << text);
    }
  }
}

TEST_CASE("Results.EveryCutIsNoticed") {
  const std::string text = text_of(small_file());
  for (std::size_t n = 0; n + 1 < text.size(); ++n) {  // the last newline alone may go
    if (problem(text.substr(0, n)) == "accepted") FAIL("accepted when cut to " << n << " of\n" << text);
  }
  CHECK(problem(text.substr(0, text.find("end "))) ==
        "line 17 'the end': the file ends before its line 'end N cases, checksum ...': it was cut off");
  CHECK_THAT(problem(text + "case more()\n"), ContainsSubstring("expected nothing behind the line 'end ...'"));
}

TEST_CASE("Results.DamageIsToldWithItsLineAndRule") {
  const std::string text = text_of(small_file());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    return problem(changed.replace(changed.find(from), from.size(), to));
  };
  CHECK(problem("") == "line 1 'the end': expected the first line 'offgrid-results 2'");
  CHECK(problem("case a\n") == "line 1 'case a': expected the first line 'offgrid-results 2'");
  CHECK_THAT(with("3f800000", "3f800001"), ContainsSubstring("out before it has other values than its digest says"));
  CHECK_THAT(with("3f800000 ", ""), ContainsSubstring("out before it has 3 values; its shape says 4"));
  CHECK_THAT(with("3f80 4000", "3f80 14000"),
             ContainsSubstring("expected values in hexadecimal, of the tensor's width"));
  CHECK_THAT(with("bf16 rows", "bf17 rows"), ContainsSubstring("with a known format"));
  CHECK_THAT(with("copy(n=2)", "copy(n=1)"), ContainsSubstring("this case is in the file twice"));
  CHECK_THAT(with("NVIDIA H200", "NVIDIA H100"), ContainsSubstring("the file has changed since it was written"));
  CHECK_THAT(with("rows=1", "rows=99999999999"), ContainsSubstring("expected 'tensor NAME FORMAT"));
}

TEST_CASE("TensorDifference.CountsByDistance") {
  const auto want = tensor("fp32", {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x7fc00000, 0x3f800000});
  auto got = want;
  CHECK(c::difference(got, want).differing == 0);
  got.codes = {0x3f800000, 0x3f800001, 0x3f800004, 0x3f900000, 0x7fffffff, 0x7f800000};
  const auto d = c::difference(got, want);
  CHECK(d.differing == 4);  // NaN is NaN
  CHECK(d.first == 1);
  CHECK(d.first_ulps == 1);
  CHECK(d.largest_ulps == 0x100000);
  CHECK(d.histogram == c::UlpHistogram{1, 0, 1, 0, 0, 0, 0, 1, 1});
  CHECK(c::element_text(got, d.first) == "out[0, 1]");
  got.dims[0].second = 2;
  CHECK_THROWS_AS(c::difference(got, want), std::invalid_argument);
}

TEST_CASE("Compare.ShowsTheFirstDifferenceAndTheCases") {
  Folder folder;
  const auto a = folder.write("a", text_of(small_file()));
  CHECK(folder.run(c::compare_command, {"compare", a, a}) == 0);
  CHECK_THAT(folder.printed, ContainsSubstring("3 cases compared, 0 differ, 1 skipped; 8 values, 0 differ"));

  c::ResultsFile other = small_file();
  other.cases[0].second.tensors[0].codes[3] = 0x80000000;
  other.cases[1].second.tensors[0].codes[1] = 0x4003;
  other.cases[2].first = "ballot()";
  const auto b = folder.write("b", text_of(other));
  CHECK(folder.run(c::compare_command, {"compare", a, b}) == 1);
  CHECK_THAT(folder.printed, ContainsSubstring("first difference  copy(n=1)\n"
                                               "  out[1, 1]  A 0 (0x00000000)  B -0 (0x80000000)  0 ulp\n"
                                               "distances in ulp (words without a format are not in here):\n"
                                               "  1          1\n"
                                               "  3-4        1\n"
                                               "differs  copy(n=1)\n"
                                               "differs  copy(n=2)\n"
                                               "only in A  vote()\n"
                                               "only in B  ballot()\n"
                                               "2 cases compared, 2 differ, 1 skipped; 6 values, 2 differ"));
}

TEST_CASE("Compare.RefusesWhatCannotBeCompared") {
  Folder folder;
  const std::string text = text_of(small_file());
  const auto a = folder.write("a", text);
  CHECK(folder.run(c::compare_command, {"compare", a}) == 2);
  CHECK(folder.run(c::compare_command, {"compare", a, a + ".missing"}) == 2);
  CHECK_THAT(folder.printed, ContainsSubstring("cannot open '"));
  CHECK(folder.run(c::compare_command, {"compare", a, folder.write("cut", text.substr(0, text.size() / 2))}) == 2);
  CHECK_THAT(folder.printed, ContainsSubstring("/cut' is no file of results, line "));
  std::string flipped = text;
  flipped[flipped.find("40000000")] ^= 1;
  CHECK(folder.run(c::compare_command, {"compare", folder.write("flipped", flipped), a}) == 2);
  CHECK_THAT(folder.printed, ContainsSubstring("out before it has other values than its digest says"));
  c::ResultsFile other = small_file();
  other.cases[0].second.tensors[0].dims = {{"rows", 4}};
  CHECK(folder.run(c::compare_command, {"compare", a, folder.write("shape", text_of(other))}) == 2);
  CHECK_THAT(folder.printed, ContainsSubstring("do not match: copy(n=1): "));
  other = small_file();
  other.cases.resize(1);
  other.cases[0].first = "else()";
  CHECK(folder.run(c::compare_command, {"compare", a, folder.write("apart", text_of(other))}) == 2);
  CHECK_THAT(folder.printed, ContainsSubstring("have no case in common that ran in both"));
}

TEST_CASE("GenRunVerify.JudgeResultsOfAnotherPlace") {
  // 2 n, and judged as such, so that results which nobody computed here can be judged.
  const auto doubles = [](std::uint32_t n) { return c::Results{{tensor("u32", {2 * n, 2 * n})}}; };
  c::Case one{"twice(n=4)", [] { return c::Outcome{}; }};
  one.results = [&](std::string_view) { return doubles(4); };
  one.judge = [](const c::Results& got) {
    c::Outcome outcome;
    if (got.tensors.at(0).codes[1] != 8) outcome.fail("  out[0, 1] is not 8\n");
    return outcome;
  };
  c::Case failing{"twice(fails)", [] { return c::Outcome{}; }};
  failing.results = [](std::string_view) -> c::Results { throw std::runtime_error("no such page"); };
  c::Case plain{"twice(n=5)", [] { return c::Outcome{}; }};
  plain.results = [&](std::string_view) { return doubles(5); };
  for (const auto& added : {one, plain, failing}) c::Registry::instance().add(added);

  Folder folder;
  REQUIRE(folder.run(c::gen_command, {"gen", "--only", "twice(n=*)"}) == 0);
  CHECK(folder.printed == "offgrid-cases 1\ntwice(n=4)\ntwice(n=5)\nend 2\n");
  const auto list = folder.write("list", folder.printed);
  const auto got = folder.write("got", "");
  REQUIRE(folder.run(c::run_command, {"run", "--only", "twice(n=*)", "--save", got}) == 0);
  CHECK(folder.run(c::verify_command, {"verify", got}) == 0);
  CHECK_THAT(folder.printed, ContainsSubstring("2 passed, 0 failed, 0 skipped, 0 waived, of emu:sm_90"));
  REQUIRE(folder.run(c::run_command, {"run", list}) == 0);
  CHECK_THAT(folder.printed, ContainsSubstring("case twice(n=5)\ntensor out u32 rows=1 d=2 digest="));

  c::ResultsFile wrong = c::read_results_file(got);
  wrong.cases[0].second.tensors[0].codes[1] = 9;
  wrong.cases[1].second.tensors[0].codes[0] = 11;
  wrong.cases.push_back({"unknown()", {{tensor("u32", {1, 2})}}});
  const auto bad = folder.write("bad", text_of(wrong));
  CHECK(folder.run(c::verify_command, {"verify", bad}) == 1);
  CHECK_THAT(folder.printed, ContainsSubstring("FAIL  twice(n=4) on emu:sm_90\n  out[0, 1] is not 8\n"));
  CHECK_THAT(folder.printed, ContainsSubstring("first  out[0, 0]  0x0000000B  here 0x0000000A"));
  CHECK_THAT(folder.printed, ContainsSubstring("this program has no such case to judge it by"));
  CHECK(folder.run(c::verify_command, {"verify", folder.write("empty", "")}) == 2);

  CHECK(folder.run(c::run_command, {"run", "--only", "twice(fails)", "--save", got}) == 1);
  CHECK(folder.run(c::verify_command, {"verify", got}) == 1);
  CHECK_THAT(folder.printed, ContainsSubstring("failed: no such page"));

  CHECK(folder.run(c::run_command, {"run", folder.write("cut", "offgrid-cases 1\ntwice(n=4)\n")}) == 2);
  CHECK_THAT(folder.printed, ContainsSubstring("it was cut off"));
  CHECK(folder.run(c::run_command, {"run", folder.write("other", "offgrid-cases 1\nthrice()\nend 1\n")}) == 2);
  CHECK_THAT(folder.printed, ContainsSubstring("line 2 'thrice()': this program has no such case"));
  CHECK(folder.run(c::run_command, {"run", "/no/such/list"}) == 2);
}

TEST_CASE("Page.HasTheMatrixTheFailuresAndTheirReplay") {
  Folder folder;
  c::ResultsFile file = small_file();
  file.cases[0].first = "paged<fp16>(n=1)";  // nobody here knows it
  const auto a = folder.write("a", text_of(file));
  const auto picture = folder.write("t.svg", "<?xml?><svg id=\"timing\"></svg>\n");
  const auto page = folder.write("page.html", "");
  REQUIRE(folder.run(c::page_command, {"page", page, a, picture}) == 0);
  const std::string html = offgrid::test::read_file(page);
  CHECK_THAT(html, ContainsSubstring("<td>paged&lt;fp16&gt;(n=1)</td><td class=\"FAIL\">FAIL</td>"));
  CHECK_THAT(html, ContainsSubstring("offgrid run --only 'paged&lt;fp16&gt;(n=1)'"));
  CHECK_THAT(html, ContainsSubstring("<figure><svg id=\"timing\"></svg></figure>"));
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.ends_with("</body></html>\n"));
  CHECK(folder.run(c::page_command, {"page", page, a, folder.write("no.svg", "none")}) == 2);
  CHECK(folder.run(c::page_command, {"page", page}) == 2);
}
