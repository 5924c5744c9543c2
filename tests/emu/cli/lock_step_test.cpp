// Warps of gfx profiles run in lock step at shared memory; those of NVIDIA profiles since Volta do not.
#include "catch.h"
#include "work_folder.h"

namespace offgrid::emu::cli {
namespace {

// A reduction inside one warp without any warp barrier, and a rotation: each lane reads what its neighbour wrote just
// before.
constexpr const char* kProgram =
    "#include <cstdio>\n"
    "__global__ void k(int* out) {\n"
    "  __shared__ volatile int s[64];\n"
    "  int t = threadIdx.x;\n"
    "  s[t] = t + 1;\n"
    "  s[t + 32] = 0;\n"
    "  for (int o = 16; o > 0; o >>= 1) s[t] += s[t + o];\n"
    "  if (t == 0) out[0] = s[0];\n"
    "  s[t] = t;\n"
    "  int v = s[(t + 1) % 32];\n"
    "  if (t == 5) out[1] = v;\n"
    "}\n"
    "int main() {\n"
    "  int* out;\n"
    "  cudaMallocManaged(&out, 8);\n"
    "  k<<<1, 32>>>(out);\n"
    "  cudaDeviceSynchronize();\n"
    "  std::printf(\"%d %d\\n\", out[0], out[1]);\n"
    "}\n";

std::string run(const WorkFolder& folder, const std::string& arch) {
  folder.write("a.cu", kProgram);
  if (folder.run("$BIN/offgrid cc -O2 -arch " + arch + " a.cu -o program && ./program") != 0) {
    return "failed: " + folder.read("out.txt");
  }
  return folder.read("out.txt");
}

#ifndef OFFGRID_NO_LOCK_STEP
TEST_CASE("LockStep.OrdersSharedMemoryOfAWarp") {
  const WorkFolder folder("lock_step");
  CHECK(run(folder, "gfx1030") == "528 6\n");
}
#endif

#ifndef OFFGRID_NO_LOCK_STEP
TEST_CASE("LockStep.LeavesAtomicsWhole") {
  const WorkFolder folder("lock_step_atomics");
  folder.write("a.cu",
               "#include <cstdio>\n"
               "__global__ void k(int* out) {\n"
               "  __shared__ int s[32];\n"
               "  s[threadIdx.x] = 0;\n"
               "  atomicAdd(&s[0], 1);\n"
               "  atomicMax(&s[1], (int)threadIdx.x);\n"
               "  __syncwarp();\n"
               "  if (threadIdx.x == 0) out[0] = s[0], out[1] = s[1];\n"
               "}\n"
               "int main() {\n"
               "  int* out;\n"
               "  cudaMallocManaged(&out, 8);\n"
               "  k<<<1, 32>>>(out);\n"
               "  cudaDeviceSynchronize();\n"
               "  std::printf(\"%d %d\\n\", out[0], out[1]);\n"
               "}\n");
  for (const std::string flags : {"-arch gfx1030", "--fuzz"}) {
    INFO(flags);
    REQUIRE(folder.run("$BIN/offgrid cc -O2 " + flags + " a.cu -o program && OFFGRID_SCHEDULE=" +
                       (flags == "--fuzz" ? "interleaved" : "in-order") + " ./program") == 0);
    CHECK(folder.read("out.txt") == "32 31\n");
  }
}
#endif

TEST_CASE("LockStep.IsNotWhatNvidiaProfilesDo") {
  const WorkFolder folder("no_lock_step");
  CHECK(run(folder, "sm_90") != "528 6\n");
}

}  // namespace
}  // namespace offgrid::emu::cli
