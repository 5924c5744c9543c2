// Checked programs that signal by volatile accesses: clang's builds know them from a list of lines, g++'s from the
// instrumentation.
#include "catch.h"
#include "work_folder.h"

namespace offgrid::emu::cli {
namespace {

/// Compilers to try: the one of this build, and g++.
std::vector<std::string> compilers(const WorkFolder& folder) {
  if (folder.run("command -v g++") == 0) return {"", "OFFGRID_CXX=g++"};
  return {""};
}

/// What the program with this kernel k<<<2, 64>>>(flag, data) says; empty if nothing is found.
std::string findings(const WorkFolder& folder, const std::string& compiler, const std::string& kernel) {
  folder.write("a.cu", kernel +
                           "\nint main() {\n  int *flag, *data;\n  cudaMalloc(&flag, 4);\n  cudaMalloc(&data, 512);\n"
                           "  cudaMemset(flag, 0, 4);\n  cudaMemset(data, 0, 512);\n  k<<<2, 64>>>(flag, data);\n"
                           "  return cudaDeviceSynchronize();\n}\n");
  REQUIRE(folder.run(compiler + " $BIN/offgrid cc --checked -O2 -g a.cu -o program") == 0);
  folder.run("./program");
  return folder.read("out.txt");
}

/// Block 1 hands data[0] to block 0.
std::string flag_kernel(const std::string& fence, const std::string& flag = "*flag") {
  return "__global__ void k(volatile int* flag, int* data) {\n  if (threadIdx.x != 0) return;\n"
         "  if (blockIdx.x == 1) {\n    data[0] = 42;\n    " +
         fence + "\n    " + flag + " = 1;\n  } else {\n    while (" + flag +
         " == 0) {\n    }\n    data[1] = data[0];\n  }\n}";
}

TEST_CASE("VolatilePrograms.AFlagAfterAFenceOrders") {
  const WorkFolder folder("volatile_flag");
  for (const std::string& compiler : compilers(folder)) {
    CHECK(findings(folder, compiler, flag_kernel("__threadfence();")) == "");
    const std::string without = findings(folder, compiler, flag_kernel(""));
    INFO(without);
    CHECK(without.find("error[race-global]: RAW hazard on `data[0]`") != std::string::npos);
    CHECK(without.find("`flag") == std::string::npos);
  }
}

TEST_CASE("VolatilePrograms.APlainFlagIsARace") {
  const WorkFolder folder("volatile_plain");
  const std::string kernel =
      "__global__ void k(int* flag, int* data) {\n  volatile int local = 0;\n  if (threadIdx.x != 0) return;\n"
      "  if (blockIdx.x == 1) {\n    *flag = 1;\n  } else {\n    local = *flag;\n    data[1] = local;\n  }\n}";
  for (const std::string& compiler : compilers(folder)) {
    const std::string text = findings(folder, compiler, kernel);
    INFO(text);
    CHECK(text.find("error[race-global]") != std::string::npos);
    CHECK(text.find("`flag") != std::string::npos);
  }
}

TEST_CASE("VolatilePrograms.OldWarpReductionsNeedABarrier") {
  const WorkFolder folder("volatile_warp");
  const auto kernel = [](const std::string& between) {
    return "__global__ void k(int*, int* data) {\n  __shared__ int s[64];\n  const int t = threadIdx.x;\n  s[t] = t;\n"
           "  __syncthreads();\n  volatile int* v = s;\n  if (t < 32) {\n    v[t] = v[t] + v[t + 32];\n    " +
           between + "\n    if (t < 16) v[t] = v[t] + v[t + 16];\n    if (t == 0) data[blockIdx.x] = v[0];\n  }\n}";
  };
  for (const std::string& compiler : compilers(folder)) {
    CHECK(findings(folder, compiler, kernel("__syncwarp();")) == "");
    const std::string without = findings(folder, compiler, kernel(""));
    INFO(without);
    CHECK(without.find("error[race-shared]") != std::string::npos);
    CHECK(without.find("`s[16]`") != std::string::npos);
  }
}

}  // namespace
}  // namespace offgrid::emu::cli
