// nvcc's and hipcc's command lines.
#include "cli/cc/options.h"

#include <fstream>

#include "catch.h"

namespace offgrid::emu::cli {
namespace {

using Words = std::vector<std::string>;

CcOptions cuda(const Words& words) { return read_options(Dialect::kCuda, words); }
CcOptions hip(const Words& words) { return read_options(Dialect::kHip, words); }
std::string error_of(const Words& words) {
  try {
    cuda(words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("CcOptions.InputsByExtension") {
  const CcOptions o = cuda({"a.cu", "b.cpp", "c.c", "d.o", "e.hip", "f.ii", "libg.a"});
  REQUIRE(o.inputs.size() == 7);
  const Language want[] = {Language::kDevice, Language::kCxx,          Language::kC,     Language::kObject,
                           Language::kDevice, Language::kPreprocessed, Language::kObject};
  for (std::size_t i = 0; i < 7; ++i) CHECK(o.inputs[i].language == want[i]);
  CHECK(hip({"a.cpp"}).inputs[0].language == Language::kDevice);
}

TEST_CASE("CcOptions.ForcedLanguageHoldsForWhatFollows") {
  const CcOptions o = cuda({"a.cpp", "-x", "cu", "b.cpp", "-x=c++", "c.cu", "--x", "cu", "d.c"});
  CHECK(o.inputs[0].language == Language::kCxx);
  CHECK(o.inputs[1].language == Language::kDevice);
  CHECK(o.inputs[2].language == Language::kCxx);
  CHECK(o.inputs[3].language == Language::kDevice);
  CHECK(cuda({"-x", "hip", "a.cpp"}).dialect == Dialect::kHip);
}

TEST_CASE("CcOptions.ValuesJoinedApartOrBehindEquals") {
  const Words want = {"-Ia", "-Ib", "-Ic", "-Id", "-DA=1", "-DB", "-isystem", "s", "-include", "h.h"};
  CHECK(cuda({"-Ia", "-I", "b", "-I=c", "--include-path", "d", "-DA=1", "--define-macro=B", "-isystem", "s",
              "-include=h.h", "a.cu"})
            .include_flags == want);
  CHECK(cuda({"-O3", "a.cu"}).optimization == "3");
  CHECK(cuda({"-O", "1", "a.cu"}).optimization == "1");
  CHECK(cuda({"-o", "x", "a.cu"}).output == "x");
  CHECK(cuda({"--output-file=x", "a.cu"}).output == "x");
}

TEST_CASE("CcOptions.StandardsBelow17AreRaised") {
  for (const char* old : {"c++11", "c++14", "c++17", "c++03"})
    CHECK(cuda({std::string("-std=") + old, "a.cu"}).standard == "c++17");
  CHECK(cuda({"--std", "gnu++14", "a.cu"}).standard == "gnu++17");
  CHECK(cuda({"-std=c++20", "a.cu"}).standard == "c++20");
  CHECK(cuda({"a.cu"}).standard == "gnu++17");
  CHECK(error_of({"-std=rust", "a.cu"}).find("unknown language standard 'rust'") == 0);
}

TEST_CASE("CcOptions.Architectures") {
  CHECK(cuda({"-arch=sm_90a", "a.cu"}).architectures == Words{"sm_90a"});
  CHECK(cuda({"--gpu-architecture", "compute_80", "-code=sm_80", "a.cu"}).architectures == Words{"compute_80"});
  CHECK(cuda({"-gencode", "arch=compute_60,code=sm_60", "-gencode=arch=compute_120,code=[sm_120,compute_120]", "a.cu"})
            .architectures == Words{"compute_60", "compute_120"});
  CHECK(cuda({"-arch=native", "a.cu"}).architectures.empty());
  CHECK(hip({"--offload-arch=gfx1030", "a.hip"}).architectures == Words{"gfx1030"});
}

TEST_CASE("CcOptions.HostCompilerFlags") {
  CHECK(cuda({"-Xcompiler", "-Wall,-fopenmp", "--compiler-options=-O1 -g3", "-march=native", "-fPIC", "-m64", "a.cu"})
            .host_flags == Words{"-Wall", "-fopenmp", "-O1", "-g3", "-march=native", "-fPIC"});
}

TEST_CASE("CcOptions.Linking") {
  CHECK(cuda({"-Lx", "-lm", "-l", "z", "-Xlinker", "-rpath,/x", "-Wl,-z,now", "a.o"}).link_flags ==
        Words{"-Lx", "-lm", "-lz", "-Xlinker", "-rpath", "-Xlinker", "/x", "-Wl,-z,now"});
  CHECK(cuda({"-shared", "a.o"}).shared);
}

TEST_CASE("CcOptions.Modes") {
  CHECK(cuda({"a.cu"}).mode == CcMode::kLink);
  CHECK(cuda({"-c", "a.cu"}).mode == CcMode::kCompile);
  CHECK(cuda({"-dc", "a.cu"}).mode == CcMode::kCompile);
  CHECK(cuda({"-dc", "a.cu"}).separable);
  CHECK(cuda({"-rdc=true", "a.cu"}).separable);
  CHECK_FALSE(cuda({"-rdc", "false", "a.cu"}).separable);
  CHECK(cuda({"-dlink", "a.o"}).mode == CcMode::kDeviceLink);
  CHECK(cuda({"-lib", "a.o"}).mode == CcMode::kArchive);
  CHECK(cuda({"-E", "a.cu"}).mode == CcMode::kPreprocess);
  CHECK(cuda({"-M", "a.cu"}).mode == CcMode::kDepend);
}

TEST_CASE("CcOptions.Arithmetic") {
  const CcOptions fast = cuda({"-use_fast_math", "a.cu"});
  CHECK((fast.fast_math && fast.flush_denormals && fast.imprecise_division && fast.imprecise_sqrt));
  CHECK_FALSE(cuda({"-fmad=false", "a.cu"}).fuse_multiply_add);
  CHECK(error_of({"-fmad=maybe", "a.cu"}) == "expected true or false, not 'maybe'");
}

TEST_CASE("CcOptions.HarmlessOnesAreAccepted") {
  const CcOptions o =
      cuda({"-lineinfo", "-Xptxas", "-v", "-Xcudafe=--diag_suppress=1", "-maxrregcount=32", "--expt-extended-lambda",
            "--expt-relaxed-constexpr", "-ccbin", "g++", "-cudart=static", "-diag-suppress", "177",
            "-Wno-deprecated-gpu-targets", "-Werror", "all-warnings", "--threads", "2", "-restrict", "a.cu"});
  CHECK(o.inputs.size() == 1);
  CHECK(o.host_flags.empty());
  CHECK(o.workers == 2);
  CHECK((o.extended_lambda && o.relaxed_constexpr));
}

TEST_CASE("CcOptions.MistakesAreNamed") {
  CHECK(error_of({"-c"}) == "no input files");
  CHECK(error_of({"a.cu", "-o"}) == "option '-o' needs a value");
  CHECK(error_of({"-quux", "a.cu"}) == "unknown option '-quux'; put options of the host compiler behind -Xcompiler");
  CHECK(error_of({"-ptx", "a.cu"}) ==
        "option '-ptx' is not supported: the emulator runs host code; there is no device binary to make");
  CHECK(error_of({"-m32", "a.cu"}) == "only 64-bit programs can be made, not -m32");
  CHECK(error_of({"-c", "a.cu", "b.cu", "-o", "x"}) == "-o names one file, but there are several inputs");
  CHECK(error_of({"-x", "fortran", "a.cu"}) == "unknown language 'fortran'; known are cu, hip, c++ and c");
}

TEST_CASE("CcOptions.OptionsFile") {
  const std::string path = "offgrid_options_test.txt";
  std::ofstream(path) << "-DA='x y' \"-I/with space\"\n a.cu";
  const CcOptions o = cuda({"-c", "--options-file", path});
  CHECK(o.include_flags == Words{"-DA=x y", "-I/with space"});
  CHECK(o.inputs[0].path == "a.cu");
  std::filesystem::remove(path);
}

TEST_CASE("CcOptions.VersionNamesTheToolkitRelease") {
  CHECK(cuda({"--version"}).information.find("release 13.0") != std::string::npos);
  CHECK(hip({"--version"}).information.find("HIP version:") == 0);
}

}  // namespace
}  // namespace offgrid::emu::cli
