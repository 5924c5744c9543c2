// validate_launch: one row a rule, with its silent neighbour.
#include "launch/validate.h"

#include <string>
#include <vector>

#include "catch.h"

namespace {

using namespace offgrid::emu;
constexpr auto kOk = LaunchError::kNone;
constexpr auto kConfig = LaunchError::kInvalidConfiguration;
constexpr auto kValue = LaunchError::kInvalidValue;

struct Row {
  const char* profile;
  dim3 grid, block;
  std::size_t dynamic = 0, fixed = 0, optin = 0;
  int bounds = 0;
  bool cooperative = false;
  LaunchError error = kOk;
  const char* headline = "";
};

struct ClusterRow {
  const char* profile;
  dim3 grid, asked, declared = {0, 0, 0};
  bool non_portable = false;
  int bound = 0;
  const char* headline = "";
  const char* help = "";
};

KernelDescriptor kernel_of(const Row& row) {
  KernelDescriptor kernel;
  kernel.pretty_name = "void k(int)";
  kernel.static_shared = row.fixed;
  kernel.max_dynamic_shared = row.optin;
  kernel.max_threads = row.bounds;
  return kernel;
}

std::optional<LaunchRefusal> validate(const Row& row) {
  LaunchConfig config;
  config.grid = row.grid;
  config.block = row.block;
  config.dynamic_shared = row.dynamic;
  config.cooperative = row.cooperative;
  config.where = {"a.cu", 88};
  return validate_launch(*find_device_profile(row.profile), kernel_of(row), config);
}

constexpr std::size_t kK = 1024;

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = {
      {"sm_90", {1}, {1024}},
      {"sm_90", {0}, {32}, 0, 0, 0, 0, false, kConfig, "grid has a dimension of 0"},
      {"sm_90", {1}, {32, 0}, 0, 0, 0, 0, false, kConfig, "block has a dimension of 0"},
      {"sm_90", {64, 8}, {33, 32}, 0, 0, 0, 0, false, kConfig, "block has 1056 threads, the limit is 1024"},
      {"sm_90", {1}, {1, 1, 65}, 0, 0, 0, 0, false, kConfig, "block.z is 65, the limit is 64"},
      {"gfx1030", {1}, {1, 1, 65}},
      {"sm_90", {1}, {1u << 31, 1u << 31, 4}, 0, 0, 0, 0, false, kConfig, "block.x is 2147483648, the limit is 1024"},
      {"sm_90", {2147483647, 65535, 65535}, {1}},
      {"sm_90", {2147483648u}, {1}, 0, 0, 0, 0, false, kConfig, "grid.x is 2147483648, the limit is 2147483647"},
      {"sm_90", {1, 65536}, {1}, 0, 0, 0, 0, false, kConfig, "grid.y is 65536, the limit is 65535"},
      {"gfx1030", {1, 65536}, {1}},
      {"gfx1030",
       {1u << 24},
       {256},
       0,
       0,
       0,
       0,
       false,
       kConfig,
       "grid.x x block.x is 4294967296, the limit is 4294967295"},
      {"sm_90", {1u << 24}, {256}},
      {"sm_90",
       {1},
       {257},
       0,
       0,
       0,
       256,
       false,
       LaunchError::kOutOfResources,
       "block has 257 threads, the kernel was declared for at most 256"},
      {"sm_90", {1}, {256}, 0, 0, 0, 256},
      {"sm_90", {1}, {32}, 48 * kK},
      {"sm_90",
       {1},
       {32},
       48 * kK + 4,
       0,
       0,
       0,
       false,
       kValue,
       "launch asks for 49156 bytes of dynamic shared memory, without opt-in it gets 48 KiB"},
      {"sm_90",
       {1},
       {32},
       40 * kK,
       16 * kK,
       0,
       0,
       false,
       kValue,
       "launch asks for 40 KiB of dynamic shared memory beside 16 KiB of static, without opt-in it gets 32 KiB"},
      {"sm_90", {1}, {32}, 96 * kK, 0, 96 * kK},
      {"sm_90",
       {1},
       {32},
       97 * kK,
       0,
       96 * kK,
       0,
       false,
       kValue,
       "launch asks for 97 KiB of dynamic shared memory, the kernel opted in to 96 KiB"},
      {"sm_120",
       {1},
       {32},
       100 * kK,
       0,
       0,
       0,
       false,
       kValue,
       "launch asks for 100 KiB of dynamic shared memory, the device has 99 KiB a block"},
      {"gfx1030", {1}, {32}, 64 * kK},
      {"sm_90", {132 * 2}, {1024}, 0, 0, 0, 0, true},
      {"sm_90",
       {132 * 2 + 1},
       {1024},
       0,
       0,
       0,
       0,
       true,
       LaunchError::kCooperativeTooLarge,
       "cooperative grid has 265 blocks, only 264 can be resident"},
      {"sm_90", {132 * 2 + 1}, {1024}},
  };
  return kRows;
}

}  // namespace

TEST_CASE("ValidateLaunch.TakesAndRefusesAsTheDeviceWould") {
  for (const Row& row : rows()) {
    CAPTURE(row.profile, row.grid.x, row.grid.y, row.block.x, row.block.z, row.dynamic, row.headline);
    const auto refusal = validate(row);
    REQUIRE(refusal.has_value() == (row.error != kOk));
    if (!refusal) continue;
    CHECK(refusal->error == row.error);
    CHECK(refusal->finding.id == FindingId::kLaunchConfig);
    CHECK(refusal->finding.headline == row.headline);
    CHECK(!refusal->finding.help.empty());
  }
}

TEST_CASE("ValidateLaunch.FindingSaysWhereAndHow") {
  const Finding f = validate({"sm_90", {64, 8}, {33, 32}})->finding;
  CHECK(f.sites.at(0).role == "launch");
  CHECK(f.sites.at(0).where.line == 88);
  CHECK(f.notes.at(0) == "grid (64, 8, 1)  block (33, 32, 1): 33 x 32 x 1 = 1056");
  CHECK(f.notes.at(1) == "limit: threads per block, device profile sm_90");
  CHECK(f.help == "block (32, 32, 1) has 1024 threads and whole warps");
  CHECK(f.place.block_dim.x == 33);
}

TEST_CASE("ValidateLaunch.HelpSpeaksTheVendorsNames") {
  CHECK(validate({"gfx1030", {40 * 2 + 1}, {1024}, 0, 0, 0, 0, true})->finding.help.find("hipOccupancy") !=
        std::string::npos);
  CHECK(validate({"sm_90", {1}, {32}, 64 * kK})->finding.help.find("cudaFuncSetAttribute(kernel, ") == 0);
}

TEST_CASE("ValidateLaunch.Clusters") {
  const char* const smaller = "use smaller clusters";
  const char* const opt_in =
      "cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) before the launch";
  const ClusterRow rows[] = {
      {"sm_90", {16}, {8}},
      {"sm_90", {16}, {0, 0, 0}, {8, 1, 1}},
      {"sm_90", {16}, {8}, {8, 1, 1}},
      {"sm_90", {6, 4, 2}, {3, 1, 2}},
      {"sm_80", {16}, {1}},
      {"sm_120", {16}, {8}},
      {"sm_90", {16}, {16}, {0, 0, 0}, true},
      {"sm_80",
       {16},
       {8},
       {0, 0, 0},
       false,
       0,
       "the launch has clusters of (8, 1, 1) blocks, the device has no clusters",
       "launch without clusters, or choose -arch sm_90"},
      {"gfx1030",
       {16},
       {2},
       {0, 0, 0},
       false,
       0,
       "the launch has clusters of (2, 1, 1) blocks, the device has no clusters",
       "launch without clusters, or choose -arch sm_90"},
      {"sm_90",
       {16},
       {4},
       {8, 1, 1},
       false,
       0,
       "the launch asks for clusters of (4, 1, 1), the kernel was declared for (8, 1, 1)",
       "leave the attribute out"},
      {"sm_90", {16}, {16}, {0, 0, 0}, false, 0, "a cluster has 16 x 1 x 1 = 16 blocks, the limit is 8", opt_in},
      {"sm_90", {9, 9}, {3, 3}, {0, 0, 0}, false, 0, "a cluster has 3 x 3 x 1 = 9 blocks, the limit is 8", opt_in},
      {"sm_120", {16}, {16}, {0, 0, 0}, true, 0, "a cluster has 16 x 1 x 1 = 16 blocks, the limit is 8", smaller},
      {"sm_90", {32}, {32}, {0, 0, 0}, true, 0, "a cluster has 32 x 1 x 1 = 32 blocks, the limit is 16", smaller},
      {"sm_90",
       {16},
       {4},
       {0, 0, 0},
       false,
       2,
       "a cluster has 4 x 1 x 1 = 4 blocks, the kernel was declared for at most 2",
       smaller},
      {"sm_90", {16}, {2}, {0, 0, 0}, false, 2},
      {"sm_90",
       {12},
       {8},
       {0, 0, 0},
       false,
       0,
       "the grid (12, 1, 1) is not made of whole clusters of (8, 1, 1)",
       "round the grid up and let the blocks behind its end only take part in barriers"},
  };
  for (const ClusterRow& row : rows) {
    CAPTURE(row.profile, row.headline, row.asked.x, row.grid.x);
    KernelDescriptor kernel;
    kernel.pretty_name = "void k(int)";
    kernel.cluster[0] = row.declared.x;
    kernel.cluster[1] = row.declared.y;
    kernel.cluster[2] = row.declared.z;
    kernel.non_portable_cluster = row.non_portable;
    kernel.max_cluster_blocks = row.bound;
    LaunchConfig config;
    config.grid = row.grid;
    config.block = {128};
    config.cluster = row.asked;
    const auto refusal = validate_launch(*find_device_profile(row.profile), kernel, config);
    REQUIRE(refusal.has_value() == (row.headline[0] != '\0'));
    if (!refusal) continue;
    CHECK(refusal->error == LaunchError::kInvalidClusterSize);
    CHECK(refusal->finding.headline == row.headline);
    CHECK(refusal->finding.help == row.help);
  }
}

TEST_CASE("ValidateLaunch.ACooperativeGridOfClustersFillsGroups") {
  KernelDescriptor kernel;
  LaunchConfig config;
  config.block = {1024};
  config.cooperative = true;
  config.cluster = {8};
  config.grid = {256};
  CHECK(!validate_launch(*find_device_profile("sm_90"), kernel, config));
  config.grid = {264};  // as many as without clusters
  const auto refusal = validate_launch(*find_device_profile("sm_90"), kernel, config);
  REQUIRE(refusal);
  CHECK(refusal->error == LaunchError::kCooperativeTooLarge);
  CHECK(refusal->finding.headline == "cooperative grid has 264 blocks, only 256 can be resident");
}
