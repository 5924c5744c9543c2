// `offgrid cc --checked`: which of its steps get which flags. The compilers of the dry runs are scripts that say who
// they are.
#include <sstream>

#include "catch.h"
#include "work_folder.h"

namespace offgrid::emu::cli {
namespace {

constexpr const char* kClang = "#define __clang_major__ 19";
constexpr const char* kGcc = "#define __GNUC__ 12";

/// A folder with a compiler `./the-cxx` of the given macros, a kernel and a host file.
struct Sources : WorkFolder {
  Sources(const std::string& name, const std::string& macros) : WorkFolder("checked_" + name) {
    write("the-cxx", "#!/bin/sh\necho '" + macros + "'\n");
    run("chmod +x the-cxx");
    write("k.cu", "__global__ void k() {}\n");
    write("main.cpp", "int main() {}\n");
  }

  int cc(const std::string& arguments, const std::string& variables = "") const {
    return run("OFFGRID_CXX=./the-cxx " + variables + " $BIN/" + arguments);
  }

  /// The line of the last output that has all `words`, or nothing.
  std::string step(const std::vector<std::string>& words) const {
    std::istringstream lines(read("out.txt"));
    for (std::string line; std::getline(lines, line);) {
      bool all = true;
      for (const std::string& word : words) all &= line.find(word) != std::string::npos;
      if (all) return line;
    }
    return "";
  }
};

bool has(const std::string& line, const std::string& text) { return line.find(text) != std::string::npos; }

TEST_CASE("CheckedSteps.OnlyDeviceInputsAreInstrumented") {
  const Sources folder("clang", kClang);
  REQUIRE(folder.cc("offgrid cc --checked --dryrun k.cu main.cpp -o program") == 0);
  INFO(folder.read("out.txt"));
  const std::string preprocess = folder.step({" -E ", "k.cu"}), compile = folder.step({" -c ", "k.offgrid.ii"});
  CHECK(has(preprocess, "-DOFFGRID_CHECKED=1"));
  CHECK_FALSE(has(preprocess, "-fsanitize"));
  CHECK(has(compile,
            " -fsanitize=kernel-memory -fno-sanitize-memory-param-retval -fno-vectorize -fno-slp-vectorize "
            "-fsanitize=local-bounds -fsanitize-trap=local-bounds -fsanitize=array-bounds,alignment "
            "-fsanitize-recover=array-bounds,alignment "
            "-gdwarf-4 -g"));
  CHECK(has(compile, "-Wuninitialized"));
  CHECK(has(compile, "-Wconditional-uninitialized"));
  CHECK(has(compile, "-ffp-contract=fast"));
  CHECK_FALSE(has(compile, "-fsanitize-coverage"));
  const std::string host = folder.step({" -c ", "main.cpp"}), link = folder.step({"liboffgrid_emu.a"});
  for (const std::string& step : {host, link}) {
    REQUIRE_FALSE(step.empty());
    CHECK_FALSE(has(step, "CHECKED"));
    CHECK_FALSE(has(step, "sanitize"));
    CHECK_FALSE(has(step, "uninitialized"));
  }
}

TEST_CASE("CheckedSteps.LanguageDecidesNotTheName") {
  const Sources folder("language", kClang);
  REQUIRE(folder.cc("offgrid cc --checked --dryrun -c -x cu main.cpp") == 0);
  CHECK(has(folder.step({" -c ", "main.offgrid.ii"}), "-fsanitize=kernel-memory"));
  REQUIRE(folder.cc("offgrid-hipcc --checked --dryrun -c main.cpp") == 0);
  CHECK(has(folder.step({" -c ", "main.offgrid.ii"}), "-fsanitize=kernel-memory"));
  REQUIRE(folder.cc("offgrid-nvcc --checked --dryrun -c -x c++ k.cu") == 0);
  CHECK_FALSE(has(folder.read("out.txt"), "-fsanitize"));
}

TEST_CASE("CheckedSteps.EnvironmentMeansTheOption") {
  const Sources folder("environment", kClang);
  REQUIRE(folder.cc("offgrid-nvcc --dryrun -c k.cu", "OFFGRID_CHECKED=1") == 0);
  CHECK(has(folder.step({" -E "}), "-DOFFGRID_CHECKED=1"));
  CHECK(has(folder.step({" -c "}), "-fsanitize=kernel-memory"));
  for (const std::string off : {"", "OFFGRID_CHECKED=0", "OFFGRID_CHECKED="}) {
    REQUIRE(folder.cc("offgrid-nvcc --dryrun -c k.cu", off) == 0);
    CHECK_FALSE(has(folder.read("out.txt"), "CHECKED"));
    CHECK_FALSE(has(folder.read("out.txt"), "-fsanitize"));
  }
  CHECK(folder.cc("offgrid-nvcc --dryrun -c k.cu", "OFFGRID_CHECKED=yes") == 2);
  CHECK(has(folder.read("out.txt"), "OFFGRID_CHECKED is 'yes'"));
}

TEST_CASE("CheckedSteps.TakeThePlaceOfLockStepCalls") {
  const Sources folder("lock_step", "#define __clang_major__ 19");
  folder.run("mv the-cxx clang++");  // what a fast build goes by
  const std::string cc = "OFFGRID_CXX=./clang++ $BIN/offgrid cc -arch gfx1030 --dryrun -c k.cu ";
  REQUIRE(folder.run(cc) == 0);
  CHECK(has(folder.read("out.txt"), "-fsanitize-coverage"));
  REQUIRE(folder.run(cc + "--checked") == 0);
  CHECK_FALSE(has(folder.read("out.txt"), "-fsanitize-coverage"));
  CHECK(has(folder.read("out.txt"), "-fsanitize=kernel-memory"));
}

TEST_CASE("CheckedSteps.WithGcc") {
  const Sources folder("gcc", kGcc);
  REQUIRE(folder.cc("offgrid cc --checked --dryrun k.cu main.cpp -o program") == 0);
  INFO(folder.read("out.txt"));
  CHECK(has(folder.step({" -E ", "k.cu"}), "-DOFFGRID_CHECKED=2"));
  CHECK(has(folder.step({" -c ", "k.offgrid.ii"}),
            " -fsanitize=thread --param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1 "
            "-fno-tree-vectorize -fsanitize=alignment -fsanitize-recover=alignment -fno-builtin-memcpy "
            "-fno-builtin-memset -fno-builtin-memmove"));
  CHECK(has(folder.step({"objcopy @"}), "k.o"));
  CHECK_FALSE(has(folder.step({" -c ", "main.cpp"}), "sanitize"));
  CHECK_FALSE(has(folder.step({"liboffgrid_emu.a"}), "sanitize"));
}

TEST_CASE("CheckedSteps.OtherCompilersExitWith2") {
  const Sources unknown("unknown", "#define __OTHER__ 1");
  CHECK(unknown.cc("offgrid cc --checked -c k.cu") == 2);
  CHECK(has(unknown.read("out.txt"), "offgrid cc: error: checked mode needs clang or g++ as host compiler"));
  CHECK(unknown.cc("offgrid cc --checked -c main.cpp") == 0);  // nothing to instrument
  const Sources old("old", "#define __clang_major__ 13");
  CHECK(old.cc("offgrid cc --checked -c k.cu") == 2);
  CHECK(has(old.read("out.txt"), "needs clang 15 or newer, and './the-cxx' is clang 13"));
}

#if defined(__clang__)
constexpr const char* kMacro = "1";
constexpr const char* kHook = "__msan_metadata_ptr_for_store_4";
constexpr const char* kCopy = "__msan_memcpy";
#else
constexpr const char* kMacro = "2";
constexpr const char* kHook = "__tsan_write4";
constexpr const char* kCopy = "__tsan_memcpy";
#endif

TEST_CASE("CheckedSteps.ThisCompilerInstruments") {
  const WorkFolder folder("checked_object");
  folder.write("a.cu",
               "struct Row { char bytes[400]; };\n"
               "__global__ void k(int* p, Row* to, const Row* from, int n) {\n  p[threadIdx.x] = OFFGRID_CHECKED;\n"
               "  __builtin_memcpy(to, from, n);\n}\n");
  REQUIRE(folder.run("$BIN/offgrid cc --checked -E a.cu | grep 'x\\] = '") == 0);
  CHECK(has(folder.read("out.txt"), std::string("= ") + kMacro + ";"));
  REQUIRE(folder.run("$BIN/offgrid cc --checked -O2 -c a.cu -o a.o && nm -u a.o") == 0);
  const std::string undefined = folder.read("out.txt");
  INFO(undefined);
  CHECK(has(undefined, kHook));
  CHECK(has(undefined, kCopy));
  CHECK_FALSE(has(undefined, " memcpy"));
}

TEST_CASE("CheckedSteps.KernelsCallTheirOwnCopyOfAnInlineFunction") {
  const WorkFolder folder("checked_inline");
  folder.write("put.h", "template <class T> __attribute__((noinline)) void put(T* p, T v) { *p = v; }\n");
  folder.write("k.cu",
               "#include \"put.h\"\nstruct Row {\n  int n;\n  __attribute__((noinline)) Row() : n(3) {}\n};\n"
               "__global__ void k(int* p) { put(p, Row().n); }\n"
               "template <class T> void set(T* p) { put(p, T(2)); }\ntemplate void set<int>(int*);\n"
               "__attribute__((weak)) int hook() { return 1; }\nint use_hook() { return hook(); }\n");
  folder.write("host.cpp",
               "#include \"put.h\"\ntemplate <class T> void set(T* p);\nint hook() { return 2; }\nint use_hook();\n"
               "int other() { int x; put(&x, 1); set(&x); return x + use_hook(); }\n");
  REQUIRE(folder.run("$BIN/offgrid cc --checked -O1 -c k.cu && $BIN/offgrid cc -O1 -c host.cpp && "
                     "ld -r host.o k.o -o both.o && nm -C both.o") == 0);
  const std::string symbols = folder.read("out.txt");
  INFO(symbols);
  CHECK(has(symbols, " W void put<int>(int*, int)\n"));
  CHECK(has(symbols, " W void put<int>(int*, int) [clone .checked]\n"));
  CHECK(has(symbols, " W void set<int>(int*)\n"));
  CHECK(has(symbols, " W Row::Row() [clone .checked]\n"));
  CHECK_FALSE(has(symbols, "hook() [clone"));
}

TEST_CASE("CheckedSteps.ValuesNeverGivenAreWarnings") {
  const WorkFolder folder("checked_warning");
  folder.write("a.cu", "__global__ void k(int* p) {\n  int x;\n  *p = x;\n}\n");
  REQUIRE(folder.run("$BIN/offgrid cc --checked -O2 -c -Xcompiler -Wall,-Werror a.cu") == 0);
  CHECK(has(folder.read("out.txt"), "a.cu:3:"));
  CHECK(has(folder.read("out.txt"), "uninitialized"));
  REQUIRE(folder.run("$BIN/offgrid cc --checked -O2 -c -Xcompiler -Wno-uninitialized a.cu") == 0);
  CHECK(folder.read("out.txt").empty());
}

TEST_CASE("CheckedSteps.RunStartsTheCheckedProgram") {
  const WorkFolder folder("checked_run");
  REQUIRE(folder.run("mkdir bin && cp $BIN/offgrid bin/") == 0);
  folder.write("bin/offgrid-cases", "#!/bin/sh\necho plain \"$@\"\n");
  folder.write("bin/offgrid-cases-checked", "#!/bin/sh\necho checked \"$@\"\n");
  REQUIRE(folder.run("chmod +x bin/* && bin/offgrid run --only x && bin/offgrid run --checked --only x && "
                     "bin/offgrid list --checked") == 0);
  CHECK(folder.read("out.txt") == "plain run --only x\nchecked run --only x\nchecked list\n");
  CHECK(folder.run("bin/offgrid bench --checked") == 2);
  CHECK(has(folder.read("out.txt"), "build the target offgrid-bench-checked"));
}

}  // namespace
}  // namespace offgrid::emu::cli
