// Programs whose lanes wait in plain volatile loops end: the rewriter gives the others their turns.
#include "catch.h"
#include "work_folder.h"

namespace offgrid::emu::cli {
namespace {

/// Runs `kernel` as k<<<grid, block>>>(volatile int* flag, int* out), with `flag` and `out` zero; what it prints is the
/// sum of out[0..63].
std::string run(const WorkFolder& folder, const std::string& kernel, const std::string& launch,
                const std::string& workers) {
  folder.write("a.cu",
               "#include <cstdio>\n" + kernel +
                   "\nint main() {\n  int *flag, *out;\n  cudaMallocManaged(&flag, 256);\n"
                   "  cudaMallocManaged(&out, 256);\n  cudaMemset(flag, 0, 256);\n  cudaMemset(out, 0, 256);\n  k<<<" +
                   launch +
                   ">>>(flag, out);\n  cudaDeviceSynchronize();\n  int sum = 0;\n"
                   "  for (int i = 0; i < 64; ++i) sum += out[i];\n  std::printf(\"%d\\n\", sum);\n}\n");
  if (folder.run("$BIN/offgrid cc -O2 a.cu -o program && OFFGRID_WORKERS=" + workers + " ./program") != 0) {
    return "failed: " + folder.read("out.txt");
  }
  return folder.read("out.txt");
}

TEST_CASE("SpinPrograms.FlagBetweenBlocks") {
  const WorkFolder folder("spin_blocks");
  const char* const workers = GENERATE("1", "2");
  CHECK(run(folder,
            "__global__ void k(volatile int* flag, int* out) {\n"
            "  if (blockIdx.x == 0) {\n    if (threadIdx.x == 0) { while (*flag == 0) {} }\n    __syncthreads();\n"
            "  } else if (threadIdx.x == 0) {\n    __threadfence();\n    *flag = 1;\n  }\n  atomicAdd(out, 1);\n}",
            "2, 1024", workers) == "2048\n");
}

TEST_CASE("SpinPrograms.LaneOfTheSameWarp") {
  const WorkFolder folder("spin_lanes");
  CHECK(run(folder,
            "__global__ void k(volatile int* flag, int* out) {\n"
            "  const int me = threadIdx.x;\n  while (*flag != 31 - me);\n  out[me] = *flag;\n  *flag = *flag + 1;\n}",
            "1, 32", "1") == "496\n");
}

TEST_CASE("SpinPrograms.DoWhileReadsIntoAVariable") {
  const WorkFolder folder("spin_do");
  CHECK(run(folder,
            "__global__ void k(volatile int* flag, int* out) {\n"
            "  const int turn = 7 - blockIdx.x;\n  int v;\n  do { v = *flag; } while (v != turn);\n"
            "  out[blockIdx.x] = v;\n  *flag = v + 1;\n}",
            "8, 1", "1") == "28\n");
}

TEST_CASE("SpinPrograms.EndlessLoopsThatBreak") {
  const WorkFolder folder("spin_break");
  CHECK(run(folder,
            "__global__ void k(volatile int* flag, int* out) {\n"
            "  while (true) {\n    if (*flag == 3 - (int)threadIdx.x) break;\n  }\n  *flag = *flag + 1;\n"
            "  for (;;) {\n    int v = *flag;\n    if (v == 4) break;\n  }\n  out[threadIdx.x] = 1;\n}",
            "1, 4", "1") == "4\n");
}

TEST_CASE("SpinPrograms.CountedWaits") {
  const WorkFolder folder("spin_counted");
  CHECK(run(folder,
            "__global__ void k(volatile int* flag, int* out) {\n"
            "  int rounds = 0;\n  if (threadIdx.x == 0) { while (*flag == 0) ++rounds; }\n  *flag = 1;\n"
            "  out[threadIdx.x] = rounds > 0;\n}",
            "1, 2", "1") == "1\n");
}

TEST_CASE("SpinPrograms.ConstexprFunctionsStayConstant") {
  const WorkFolder folder("spin_constexpr");
  CHECK(run(folder,
            "__host__ __device__ constexpr int log2(int n) { int r = -1; while (n != 0) { n >>= 1; ++r; } return r; }\n"
            "__device__ constexpr int half(int n) { while (n > 100) n /= 2; return n; }\n"
            "static_assert(log2(1024) == 10 && half(1000) == 62);\n"
            "__global__ void k(volatile int* flag, int* out) { int a[log2(16)] = {1}; out[0] = half(800) + a[0]; }",
            "1, 1", "1") == "101\n");
}

TEST_CASE("SpinPrograms.LongComputationsAreNoLivelock") {
  const WorkFolder folder("spin_compute");
  CHECK(run(folder,
            "__global__ void k(volatile int* flag, int* out) {\n"
            "  unsigned x = threadIdx.x;\n  while (x < 400000000u) x += 3;\n  out[threadIdx.x] = x != 0;\n}",
            "1, 4", "1") == "4\n");
}

}  // namespace
}  // namespace offgrid::emu::cli
