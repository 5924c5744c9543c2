// The command itself: programs are compiled, linked and run, and mistakes are reported where they are.
#include "catch.h"
#include "work_folder.h"

namespace offgrid::emu::cli {
namespace {

TEST_CASE("Cc.SeveralFilesMakeAProgram") {
  const WorkFolder folder("program");
  folder.write("scale.h",
               "#define LAUNCH(k, n, ...) k<<<1, n>>>(__VA_ARGS__)\nvoid scale(int* p, int n);\n"
               "__device__ int factor = 3;\n");
  folder.write("scale.cu",
               "#include \"scale.h\"\n__device__ int times(int x) { return x * factor; }\n"
               "__global__ void k(int* p) { p[threadIdx.x] = times(threadIdx.x); }\n"
               "void scale(int* p, int n) { LAUNCH(k, n, p); }\n");
  folder.write("main.cu",
               "#include \"scale.h\"\n#include <cstdio>\n__device__ int times(int x) { return -x; }\n"
               "__global__ void k2(int* p) { p[0] = times(p[3]) + factor; }\n"
               "int twice(int);\nint main() {\n  int* p; cudaMallocManaged(&p, 32); scale(p, 8); k2<<<1, 1>>>(p);\n"
               "  cudaDeviceSynchronize(); std::printf(\"%d %d\\n\", p[0], twice(p[7])); }\n");
  folder.write("twice.cpp", "#include <cuda_runtime.h>\nint twice(int n) { dim3 d(n, 2); return d.x * d.y; }\n");
  REQUIRE(folder.run("$BIN/offgrid cc -O1 -arch sm_120 scale.cu main.cu twice.cpp -lcudart -o program && ./program") ==
          0);
  CHECK(folder.read("out.txt") == "-6 42\n");
  CHECK_FALSE(folder.has("scale.o"));
}

TEST_CASE("Cc.ErrorsNameTheOriginalLine") {
  const WorkFolder folder("errors");
  folder.write("k.h", "\n__global__ void k(int* p) {\n  p[0] = undeclared;\n}\n");
  folder.write("a.cu", "#include \"k.h\"\nvoid f() { k<<<1, 1>>>(nullptr); }\n");
  CHECK(folder.run("$BIN/offgrid cc -c a.cu") == 1);
  CHECK(folder.read("out.txt").find("k.h:3:10: error") != std::string::npos);
  folder.write("b.cu", "int x;\n__device__ void f() {\n  __shared__ int s = 1;\n}\n");
  CHECK(folder.run("$BIN/offgrid cc -c b.cu") == 1);
  CHECK(folder.read("out.txt") == "b.cu:3: error: a __shared__ variable cannot have an initializer\n");
}

TEST_CASE("Cc.WrongFlagsExitWith2") {
  const WorkFolder folder("flags");
  CHECK(folder.run("$BIN/offgrid cc -quux a.cu") == 2);
  CHECK(folder.run("$BIN/offgrid cc a.o -lcublas") == 2);
  CHECK(folder.run("$BIN/offgrid ccc") == 2);
  CHECK(folder.read("out.txt").find("did you mean 'cc'?") != std::string::npos);
}

TEST_CASE("Cc.ObjectsAndDependencies") {
  const WorkFolder folder("objects");
  folder.write("k.h", "__global__ void k();\n");
  folder.write("a.cu", "#include \"k.h\"\n__global__ void k() {}\n");
  REQUIRE(folder.run("$BIN/offgrid-nvcc -c a.cu -MMD -O0") == 0);
  CHECK(folder.has("a.o"));
  CHECK(folder.read("a.d").find("a.o: a.cu") == 0);
  CHECK(folder.read("a.d").find("k.h") != std::string::npos);
}

TEST_CASE("Cc.DryRunOnlyShowsTheSteps") {
  const WorkFolder folder("dry");
  folder.write("a.cu", "__global__ void k() {}\n");
  REQUIRE(folder.run("$BIN/offgrid cc --dryrun a.cu -o program") == 0);
  CHECK(folder.read("out.txt").find("#$ offgrid rewrite") != std::string::npos);
  CHECK_FALSE(folder.has("program"));
}

TEST_CASE("Cc.KeepLeavesTheFilesBetween") {
  const WorkFolder folder("keep");
  folder.write("a.cu", "__global__ void k() {}\n");
  REQUIRE(folder.run("$BIN/offgrid cc --keep --keep-dir kept -O0 -c a.cu") == 0);
  CHECK(folder.read("kept/a.offgrid.ii").find("enter_kernel") != std::string::npos);
}

TEST_CASE("Cc.HipPrograms") {
  const WorkFolder folder("hip");
  folder.write("a.cpp",
               "#include <hip/hip_runtime.h>\n#include <cstdio>\n__global__ void k(int* p) { *p = warpSize; }\n"
               "int main() { int* p; (void)hipMallocManaged(&p, 4); k<<<1, 1>>>(p); (void)hipDeviceSynchronize();\n"
               "std::printf(\"%d\\n\", *p); }\n");
  REQUIRE(folder.run("$BIN/offgrid-hipcc -O1 --offload-arch=gfx1030 a.cpp -o program && ./program") == 0);
  CHECK(folder.read("out.txt") == "32\n");
}

TEST_CASE("Cc.VersionForBuildScripts") {
  const WorkFolder folder("version");
  REQUIRE(folder.run("$BIN/offgrid-nvcc --version | grep -o 'release 13.0'") == 0);
}

TEST_CASE("Cc.KernelsKnowTheirName") {
  const WorkFolder folder("func");
  folder.write("a.cu",
               "#include <cstdio>\n__global__ void named() { printf(\"%s %s %d\\n\", __func__, __FUNCTION__, "
               "(int)sizeof(__func__)); }\nint main() { named<<<1, 1>>>(); cudaDeviceSynchronize(); }\n");
  REQUIRE(folder.run("$BIN/offgrid cc -O0 -Xcompiler -Wall,-Wextra,-Werror a.cu -o program && ./program") == 0);
  CHECK(folder.read("out.txt") == "named named 6\n");
}

TEST_CASE("Cc.SharedLibrariesAndTheirProgramsShareOneEngine") {
  const WorkFolder folder("shared");
  folder.write("scale.cu",
               "__device__ int factor = 2;\n__global__ void scale(int* p) { p[threadIdx.x] *= factor; }\n"
               "void launch(int* p, int n) { scale<<<1, n>>>(p); }\n");
  folder.write("main.cu",
               "#include <cstdio>\nvoid launch(int* p, int n);\n__global__ void add(int* p) { p[threadIdx.x] += 5; }\n"
               "int main() {\n  int* p;\n  cudaMallocManaged(&p, 32);\n  cudaMemset(p, 0, 32);\n  add<<<1, 8>>>(p);\n"
               "  launch(p, 8);\n  cudaDeviceSynchronize();\n  std::printf(\"%d\\n\", p[7]);\n  launch(p, 2000);\n"
               "  std::printf(\"%s\\n\", cudaGetErrorName(cudaGetLastError()));\n}\n");
  REQUIRE(folder.run("$BIN/offgrid cc -shared -O1 scale.cu -o libscale.so && "
                     "$BIN/offgrid cc -O1 main.cu -L. -lscale -Wl,-rpath,. -o program && ./program 2> err.txt") == 1);
  CHECK(folder.read("out.txt") == "10\ncudaErrorInvalidConfiguration\n");
  const std::string report = folder.read("err.txt");
  INFO(report);
  CHECK(report.find("scale.cu:3") != std::string::npos);
  CHECK(report.ends_with("\noffgrid: 1 error\n"));
  CHECK(report.find("offgrid: 1 error") == report.rfind("offgrid: 1 error"));
}

TEST_CASE("Cc.ReportsShowSourcesFromAnyFolder") {
  const WorkFolder folder("elsewhere");
  folder.write("wait.h",
               "__device__ inline void wait(bool all) {\n  if (all) __syncthreads(); else __syncwarp();\n}\n");
  folder.write("a.cu",
               "#include \"./wait.h\"\n"
               "__global__ void k(int* p) {\n  __shared__ int tile[4];\n  if (p == nullptr) wait(threadIdx.x < 16);\n"
               "  volatile int* t = tile;\n  t[4] = 1;\n  if (p != nullptr) p[1 << 20] = 1;\n}\n"
               "int main(int argc, char**) {\n  int* p = nullptr;\n  if (argc > 2) cudaMalloc(&p, 4);\n"
               "  k<<<1, argc == 2 ? 0 : 32>>>(argc == 4 ? nullptr : p);\n  cudaDeviceSynchronize();\n}\n");
  REQUIRE(folder.run("mkdir -p there && $BIN/offgrid cc -O2 a.cu -o program && cd there && ../program") == 1);
  const auto shows = [&](const std::string& arguments, const std::string& place, const std::string& text) {
    CHECK(folder.run("cd there && ../program " + arguments) == 1);
    const std::string report = folder.read("out.txt");
    INFO(report);
    CHECK(report.find("cc_test_elsewhere/" + place) != std::string::npos);
    CHECK(report.find(text) != std::string::npos);
  };
  shows("x", "a.cu:12", "12 |   k<<<1, argc == 2 ? 0 : 32>>>");
  shows("x y", "a.cu:7", "7 |   if (p != nullptr) p[1 << 20] = 1;");
  shows("x y z", "wait.h:2", "2 |   if (all) __syncthreads(); else __syncwarp();");
}

}  // namespace
}  // namespace offgrid::emu::cli
