// What checked mode asks of the host compiler.
#include "cli/cc/checked.h"

#include <algorithm>

#include "catch.h"
#include "cli/cc/inline_functions.h"
#include "cli/cc/options.h"

namespace offgrid::emu::cli {
namespace {

using Words = std::vector<std::string>;

std::string error_of(const std::string& macros) {
  try {
    choose_checking(macros, "the-cxx");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

bool has(const Words& words, const std::string& word) { return std::ranges::find(words, word) != words.end(); }

TEST_CASE("Checked.IsAnOptionOfBothDialects") {
  CHECK_FALSE(read_options(Dialect::kCuda, Words{"a.cu"}).checked);
  CHECK(read_options(Dialect::kCuda, Words{"--checked", "a.cu"}).checked);
  CHECK(read_options(Dialect::kHip, Words{"-checked", "a.cpp"}).checked);
}

TEST_CASE("Checked.CompilersByTheirMacros") {
  CHECK(choose_checking("#define __GNUC__ 4\n#define __clang_major__ 19\n", "") == Checking::kDefinedness);
  CHECK(choose_checking("#define __clang_major__ 15\n", "") == Checking::kDefinedness);
  CHECK(choose_checking("#define __GNUC__ 12\n", "") == Checking::kAccesses);
  CHECK(choose_checking("#define __GNUC__ 11\n", "") == Checking::kAccesses);
}

TEST_CASE("Checked.OtherCompilersAreErrors") {
  CHECK(error_of("#define __clang_major__ 14\n") == "checked mode needs clang 15 or newer, and 'the-cxx' is clang 14");
  CHECK(error_of("#define __GNUC__ 10\n") == "checked mode needs g++ 11 or newer, and 'the-cxx' is g++ 10");
  const std::string neither =
      "checked mode needs clang or g++ as host compiler, and 'the-cxx' is neither; set OFFGRID_CXX, for instance to "
      "clang++";
  CHECK(error_of("") == neither);
  CHECK(error_of("#define __GNUC__ 12\n#define __NVCOMPILER 1\n") == neither);
  CHECK_THROWS_WITH(ask_compiler({"false"}),
                    "cannot ask the host compiler 'false' what it is: false -dM -E -x c++ /dev/null");
}

TEST_CASE("Checked.NothingWhenOff") {
  CHECK(checked_preprocessor_flags(Checking::kOff).empty());
  CHECK(checked_code_flags(Checking::kOff).empty());
  CHECK(checked_warnings(Checking::kOff).empty());
  CHECK(checked_copies(Checking::kOff).empty());
}

TEST_CASE("Checked.MacroSaysWhichInstrumentation") {
  CHECK(checked_preprocessor_flags(Checking::kDefinedness)[0] == "-DOFFGRID_CHECKED=1");
  CHECK(checked_preprocessor_flags(Checking::kAccesses)[0] == "-DOFFGRID_CHECKED=2");
}

TEST_CASE("Checked.WarningsAreNeverErrors") {
  for (const Checking checking : {Checking::kDefinedness, Checking::kAccesses}) {
    const Words flags = checked_warnings(checking);
    CHECK(flags.size() == 4);
    for (const std::string& flag : flags) {
      if (!flag.starts_with("-Wno-")) CHECK(has(flags, "-Wno-error=" + flag.substr(2)));
    }
  }
}

TEST_CASE("Checked.CopiesAreRenamedWhereTheCompilerDoesNot") {
  CHECK(checked_copies(Checking::kDefinedness).empty());
  CHECK(checked_copies(Checking::kAccesses) ==
        "--redefine-sym memcpy=__tsan_memcpy\n--redefine-sym memset=__tsan_memset\n"
        "--redefine-sym memmove=__tsan_memmove\n");
}

TEST_CASE("Checked.InlineFunctionsGetNamesOfTheirOwn") {
  const std::string zero(16, '0');
  CHECK(separate_inline_functions("a.o:     file format elf64-x86-64\n\nSYMBOL TABLE:\n" + zero +
                                  "  w    F .text._Z3putv\t000000000000000f _Z3putv\n") ==
        "--redefine-sym _Z3putv=_Z3putv.checked\n--add-symbol _Z3putv=.text._Z3putv:0x" + zero + ",weak,function\n");
  CHECK(
      separate_inline_functions(zero + "  w    F .text._ZNSt6vectorIiE1fEv\t000000000000000f _ZNSt6vectorIiE1fEv\n") ==
      "--redefine-sym _ZNSt6vectorIiE1fEv=_ZNSt6vectorIiE1fEv.checked\n");
  CHECK(separate_inline_functions(zero + " l       .group\t" + zero + " _ZN1AC5Ev\n") ==
        "--redefine-sym _ZN1AC5Ev=_ZN1AC5Ev.checked\n");
  for (const std::string other : {" g     F .text\t000000000000000f _Z6launchv",          // one definition
                                  "  w    F .text\t000000000000000f _Z4hookv",            // the user may replace it
                                  "  w    O .bss._ZZ1fvE1n\t0000000000000004 _ZZ1fvE1n",  // one object a program
                                  "         *UND*\t0000000000000000 _Z5otherv"}) {
    CHECK(separate_inline_functions(zero + other + "\n").empty());
  }
}

}  // namespace
}  // namespace offgrid::emu::cli
