// Resident blocks, each limit in turn.
#include "launch/occupancy.h"

#include "catch.h"

namespace {

using namespace offgrid::emu;

struct Row {
  const char* profile;
  int max_threads, min_blocks;
  std::size_t max_dynamic, fixed, threads, dynamic;
  unsigned blocks;
};

unsigned blocks_of(const Row& row) {
  KernelDescriptor kernel;
  kernel.max_threads = row.max_threads;
  kernel.min_blocks = row.min_blocks;
  kernel.max_dynamic_shared = row.max_dynamic;
  kernel.static_shared = row.fixed;
  return resident_blocks(*find_device_profile(row.profile), kernel, row.threads, row.dynamic);
}

}  // namespace

TEST_CASE("Occupancy.LeastOfTheLimits") {
  constexpr std::size_t kOptin = 227 * 1024;
  const Row rows[] = {
      {"sm_90", 0, 0, 0, 0, 256, 0, 8},             // threads
      {"sm_90", 0, 0, 0, 0, 32, 0, 32},             // blocks
      {"sm_90", 0, 0, 0, 0, 33, 0, 32},             // 64 threads in whole warps
      {"sm_90", 0, 0, 0, 0, 1024, 0, 2},            //
      {"sm_120", 0, 0, 0, 0, 1024, 0, 1},           // 1536 threads
      {"sm_90", 0, 0, 0, 0, 128, 48 * 1024, 4},     // shared memory, 1 KiB of it reserved
      {"sm_90", 0, 0, 0, 47 * 1024, 128, 1024, 4},  // static counts, too
      {"sm_90", 0, 0, kOptin, 0, 128, kOptin, 1},   //
      {"sm_90", 0, 0, 0, 0, 128, 64 * 1024, 0},     // no opt-in
      {"sm_90", 1024, 2, 0, 0, 1024, 0, 2},         // launch bounds lower the registers
      {"sm_90", 0, 0, 0, 0, 2000, 0, 0},            // not a block
      {"sm_90", 0, 0, 0, 0, 0, 0, 0},               //
      {"gfx90a", 0, 0, 0, 0, 1, 0, 32},             //
      {"gfx90a", 0, 0, 0, 0, 256, 64 * 1024, 1},    //
      {"gfx1030", 0, 0, 0, 0, 256, 64 * 1024, 2},   // a work-group processor has two LDS
  };
  for (const Row& row : rows) {
    CAPTURE(row.profile, row.threads, row.dynamic);
    CHECK(blocks_of(row) == row.blocks);
  }
}

TEST_CASE("Occupancy.LaunchBoundsLowerTheAssumedRegisters") {
  const DeviceProfile& profile = *find_device_profile("sm_90");
  KernelDescriptor kernel;
  CHECK(assumed_registers(profile, kernel) == 32);
  kernel.max_threads = 1024;
  kernel.min_blocks = 4;
  CHECK(assumed_registers(profile, kernel) == 16);
}
