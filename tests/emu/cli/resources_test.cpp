// `offgrid resources`: what compilers say is read, compared with the table, and every difference is a finding.
#include "cli/resources/resources.h"

#include <algorithm>

#include "catch.h"
#include "cli/cc/options.h"
#include "cli/resources/compiler_output.h"
#include "cli/resources/figure_table.h"
#include "golden.h"
#include "work_folder.h"

namespace offgrid::emu::cli {
namespace {

using Figures = std::vector<long>;
using Words = std::vector<std::string>;

const std::string kClangText = test::read_file(OFFGRID_COMPILER_OUTPUTS "/clang.txt");
const std::string kNvccText = test::read_file(OFFGRID_COMPILER_OUTPUTS "/nvcc.txt");

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

FigureTable table_of(const CompilerOutput& output) {
  FigureTable table;
  for (const KernelFigures& kernel : output.kernels) table.rows.push_back({kernel});
  return table;
}

std::vector<std::string> texts(const std::vector<FigureChange>& found) {
  std::vector<std::string> all;
  for (const FigureChange& change : found) all.push_back(change.text);
  return all;
}

const Scope kBoth{{"gfx1030", "sm_90a", "sm_120"}, {"a.cu"}};

TEST_CASE("CompilerOutput.ClangRemarks") {
  const CompilerOutput output = read_clang_output(kClangText, "a.cu", "gfx1030");
  REQUIRE(output.kernels.size() == 2);
  CHECK(output.kernels[0].kernel == "mla_decode_stage1<__half, __half, float, 576, 512, true, true>");
  CHECK(output.kernels[0].target == "gfx1030");
  CHECK(output.kernels[0].figures == Figures{116, 52, 0, 38464, 6, 0, 0});
  CHECK(output.kernels[1].kernel == "mla_decode_stage1_single<__half, __half, 288, 256>");
  CHECK(output.kernels[1].figures == Figures{33, 57, 0, 1600, 16, 0, 0});
  CHECK(output.warnings.empty());
}

TEST_CASE("CompilerOutput.PtxasOfTwoTargets") {
  const CompilerOutput output = read_nvcc_output(kNvccText, "a.cu");
  REQUIRE(output.kernels.size() == 4);
  CHECK(output.kernels[0].target == "sm_90a");
  CHECK(output.kernels[0].kernel == "mla_decode_stage2<__half, __half, 32>");
  CHECK(output.kernels[0].figures == Figures{21, 0, 0, 0, 0});
  CHECK(output.kernels[1].figures == Figures{57, 4160, 0, 0, 0});
  CHECK(output.kernels[2].target == "sm_120");
}

TEST_CASE("CompilerOutput.SpillsOfTheKernelNotOfItsFunctions") {
  const std::string text = replaced(kNvccText, "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads",
                                    "8 bytes stack frame, 16 bytes spill stores, 32 bytes spill loads\n"
                                    "ptxas info    : Function properties for __internal_trig_reduction_slowpathf\n"
                                    "    40 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads");
  CHECK(read_nvcc_output(text, "a.cu").kernels[0].figures == Figures{21, 0, 8, 16, 32});
}

TEST_CASE("CompilerOutput.WarningsOfEveryCompiler") {
  const std::string warnings =
      "./a.cuh(113): warning #128-D: loop is not reachable\n"
      "./a.cuh:23:1: warning: loop not unrolled [-Wpass-failed=transform-warning]\n"
      "ptxas warning : Value of threads per SM is out of range\n";
  CHECK(read_nvcc_output(warnings + kNvccText, "a.cu").warnings.size() == 3);
  CHECK(read_clang_output(warnings + kClangText + "1 warning generated.\n", "a.cu", "gfx1030").warnings.size() == 3);
}

TEST_CASE("CompilerOutput.AMissingFigureIsTold") {
  const std::string text = replaced(kClangText, " VGPRs: 116", " registers: 116");
  CHECK_THROWS_WITH(read_clang_output(text, "a.cu", "gfx1030"),
                    "the compiler's output for gfx1030 does not tell 'vgprs' of mla_decode_stage1<__half, __half, "
                    "float, 576, 512, true, true> (a.cu)");
}

TEST_CASE("FigureTable.TextGivesBackTheRows") {
  FigureTable table = table_of(read_nvcc_output(kNvccText, "a.cu"));
  const FigureTable amd = table_of(read_clang_output(kClangText, "longer/name.cu", "gfx1030"));
  table.rows.insert(table.rows.end(), amd.rows.begin(), amd.rows.end());
  table.compilers = {{"gfx1030", "clang version 19.1.7"}, {"sm_90a", "V13"}, {"sm_120", "V13"}};
  const FigureTable read = read_figure_table(figure_table_text(table), "t.txt");
  CHECK(read.compilers == table.compilers);
  const Scope all{{"gfx1030", "sm_90a", "sm_120"}, {"a.cu", "longer/name.cu"}};
  CHECK(read.rows.size() == 6);
  CHECK(texts(changes(table, read, all)).empty());
  CHECK(texts(changes(read, table, all)).empty());
}

TEST_CASE("FigureTable.BadLinesNameThePlace") {
  const std::string good = figure_table_text(table_of(read_nvcc_output(kNvccText, "a.cu")));
  CHECK_THROWS_WITH(read_figure_table(replaced(good, " 4160 ", " many "), "t.txt"),
                    ContainsSubstring("t.txt:5: expected 5 numbers"));
  CHECK_THROWS_WITH(read_figure_table(replaced(good, " stack ", " stick "), "t.txt"),
                    ContainsSubstring("expected the columns of sm_120"));
  CHECK_THROWS_WITH(read_figure_table("1 2 3\n", "t.txt"), ContainsSubstring("t.txt:1: a row before"));
}

TEST_CASE("FigureTable.ChangesAreTold") {
  const FigureTable old = read_figure_table(figure_table_text(table_of(read_nvcc_output(kNvccText, "a.cu"))), "t.txt");
  const std::string more = replaced(replaced(kNvccText, "Used 57 registers", "Used 61 registers"), "4160", "4176");
  const std::vector<FigureChange> found = changes(old, table_of(read_nvcc_output(more, "a.cu")), kBoth);
  REQUIRE(found.size() == 1);
  CHECK(found[0].text ==
        "sm_90a mla_decode_stage1<__half, __half, __half, 40, 32, true, true> (a.cu): registers 57 -> 61, shared 4160 "
        "-> 4176");
  CHECK(found[0].line == 10);
  CHECK(changes(old, table_of(read_nvcc_output(kNvccText, "a.cu")), kBoth).empty());
}

TEST_CASE("FigureTable.NewAndVanishedKernelsAreTold") {
  const FigureTable whole = table_of(read_clang_output(kClangText, "a.cu", "gfx1030"));
  FigureTable half = whole;
  half.rows.pop_back();
  CHECK(texts(changes(half, whole, kBoth)) ==
        Words{"gfx1030 mla_decode_stage1_single<__half, __half, 288, 256> (a.cu): not in the baseline"});
  CHECK(texts(changes(whole, half, kBoth)) == Words{"gfx1030 mla_decode_stage1_single<__half, __half, 288, 256> "
                                                    "(a.cu): in the baseline, but no longer compiled"});
  CHECK(changes(whole, half, Scope{{"sm_90a"}, {"a.cu"}}).empty());
  CHECK(changes(whole, half, Scope{{"gfx1030"}, {"b.cu"}}).empty());
}

TEST_CASE("ResourcesOptions.WrongOnesAreRefused") {
  CHECK(read_resources_options({"--target", "sm_120", "--accept", "-j", "3"}).targets == Words{"sm_120"});
  CHECK(read_resources_options({}).targets == Words{"gfx1030", "sm_90a", "sm_120"});
  CHECK_THROWS_WITH(read_resources_options({"--target", "sm_80"}),
                    "--target sm_80: no such target; expected one of gfx1030, sm_90a, sm_120");
  CHECK_THROWS_WITH(read_resources_options({"--target"}), "--target needs a value");
  CHECK_THROWS_WITH(read_resources_options({"-j", "0"}), "-j 0: expected a number from 1 to 1024");
  CHECK_THROWS_WITH(read_resources_options({"--acept"}),
                    "unknown argument '--acept'; `offgrid resources --help` lists them");
}

TEST_CASE("DeviceCompilers.AGivenOneMustExist") {
  CHECK_THROWS_WITH(find_nvcc("/no/nvcc", {"sm_90a"}), "--nvcc /no/nvcc: no such program");
  CHECK_THROWS_WITH(find_hip_clang("/no/clang", {"gfx1030"}), "--hip-clang /no/clang: no such program");
}

/// A folder with a list of one source, and programs that say what compilers said.
class FakeBuild {
 public:
  FakeBuild() : folder_("resources"), path_(std::filesystem::absolute("cc_test_resources")) {
    folder_.write("a.cu", "");
    folder_.write("kernels.txt", "folder " + path_.string() + "\nbaseline table.txt\nsource a.cu\n");
    write_compiler("clang", "clang version 19.1.7", kClangText, 0);
    write_compiler("nvcc", "Cuda compilation tools, release 13.0", kNvccText, 0);
  }

  void write_compiler(const std::string& name, const std::string& version, const std::string& text, int status) const {
    folder_.write(name + ".text", text);
    folder_.write(name, "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '" + version + "'; exit 0; fi\ncat '" +
                            (path_ / (name + ".text")).string() + "' >&2\nexit " + std::to_string(status) + "\n");
    std::filesystem::permissions(path_ / name, std::filesystem::perms::owner_all);
  }

  int run(const std::string& flags) const {
    return folder_.run("$BIN/offgrid resources --list kernels.txt --hip-clang ./clang --nvcc ./nvcc " + flags);
  }
  std::string output() const { return folder_.read("out.txt"); }
  const WorkFolder& folder() const { return folder_; }
  std::filesystem::path path(const std::string& name) const { return path_ / name; }

 private:
  WorkFolder folder_;
  std::filesystem::path path_;
};

TEST_CASE("Resources.SameIsSilentAndAChangeIsAFinding") {
  const FakeBuild build;
  CHECK(build.run("") == 2);
  CHECK_THAT(build.output(), ContainsSubstring("table.txt; `offgrid resources --accept` writes it"));
  CHECK(build.run("--accept") == 0);
  CHECK(build.run("") == 0);
  CHECK_THAT(build.output(), ContainsSubstring("0 findings, 0 targets skipped"));
  CHECK(build.output().find("error") == std::string::npos);

  build.write_compiler("clang", "clang version 19.1.7", replaced(kClangText, "VGPRs: 33", "VGPRs: 34"), 0);
  CHECK(build.run("") == 1);
  CHECK_THAT(build.output(), ContainsSubstring("error[resource-change]: gfx1030 mla_decode_stage1_single<__half, "
                                               "__half, 288, 256> (a.cu): vgprs 33 -> 34"));
  CHECK_THAT(build.output(), ContainsSubstring("table.txt:6"));
  CHECK(build.run("--target sm_90a --target sm_120") == 0);
  CHECK(build.run("--accept") == 0);
  CHECK(build.run("") == 0);
}

TEST_CASE("Resources.WarningsAndFailuresAreFindings") {
  const FakeBuild build;
  build.write_compiler("nvcc", "Cuda compilation tools, release 13.0", "a.cu(3): warning #177-D: unused\n" + kNvccText,
                       0);
  CHECK(build.run("--accept") == 1);
  CHECK_THAT(build.output(), ContainsSubstring("error[compiler-warning]: a.cu: a.cu(3): warning #177-D: unused"));
  build.write_compiler("nvcc", "Cuda compilation tools, release 13.0", "a.cu(3): error: no such name\n", 2);
  CHECK(build.run("") == 1);
  CHECK_THAT(build.output(), ContainsSubstring("error[no-compile]: a.cu: ./nvcc ends with 2\na.cu(3): error: no such"));
}

TEST_CASE("Resources.AnotherCompilerIsTold") {
  const FakeBuild build;
  CHECK(build.run("--accept") == 0);
  build.write_compiler("clang", "clang version 20.0.0", kClangText, 0);
  CHECK(build.run("") == 0);
  CHECK_THAT(
      build.output(),
      ContainsSubstring("note: gfx1030: the table is of 'clang version 19.1.7', this is 'clang version 20.0.0'"));
}

TEST_CASE("Resources.AMissingCompilerIsSkippedAndCounted") {
  const FakeBuild build;
  CHECK(build.run("--accept") == 0);
  const std::string before = build.folder().read("table.txt");
  DeviceCompiler none;
  none.missing = "no nvcc";
  none.targets = {"sm_90a", "sm_120"};
  const DeviceCompiler clang = find_hip_clang(build.path("clang").string(), {"gfx1030"});
  ResourcesOptions options;
  options.accept = true;  // the rows of the missing compiler stay
  CHECK(report_resources(options, read_kernel_list(build.path("kernels.txt")), {clang, none}) == 0);
  CHECK(build.folder().read("table.txt") == before);
}

TEST_CASE("Resources.WrongUsageEndsWith2") {
  const FakeBuild build;
  CHECK(build.run("--accept") == 0);
  CHECK(build.run("--only b.cu") == 2);
  CHECK_THAT(build.output(), ContainsSubstring("--only b.cu: no source has this in its name"));
  CHECK(build.run("--fast") == 2);
  build.folder().write("kernels.txt", "folder .\nbaseline t\nsauce a.cu\n");
  CHECK(build.run("") == 2);
  CHECK_THAT(build.output(), ContainsSubstring("kernels.txt:3: unknown key 'sauce'"));
}

}  // namespace
}  // namespace offgrid::emu::cli
