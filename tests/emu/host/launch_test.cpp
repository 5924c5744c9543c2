// Launch calls, function attributes, occupancy queries, and when errors of launches are seen.
#include <string>

#include "host_fixture.h"

using namespace offgrid::test;
using offgrid::emu::FindingId;

namespace {

/// Arguments of add_value(data, value, count) as cudaLaunchKernel takes them.
struct Arguments {
  float* data;
  float value;
  int count;
  void* pointers[3] = {&data, &value, &count};
};

}  // namespace

TEST_CASE("LaunchKernel.RunsFromAnArgumentArray") {
  FindingLog log;
  Floats a(300);
  Arguments args{a.data, 2.5f, 300};
  CHECK(cudaLaunchKernel(add_value, dim3(3), dim3(128), args.pointers, 0, nullptr) == cudaSuccess);
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(add_value), dim3(3), dim3(128), args.pointers) ==
        cudaSuccess);
  CHECK(read_back(a.data, 300).back() == 5.0f);
}

TEST_CASE("LaunchKernelEx.ConvertsArgumentsToTheKernelsTypes") {
  FindingLog log;
  Floats a(4);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(4);
  CHECK(cudaLaunchKernelEx(&config, add_value, a.data, 3, 4u) == cudaSuccess);
  CHECK(a.first() == 3.0f);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {2, 1, 1};
  config.attrs = &cluster;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, add_value, a.data, 3, 4u) == cudaErrorInvalidClusterSize);  // of one block
  config.gridDim = dim3(2);
  CHECK(cudaLaunchKernelEx(&config, add_value, a.data, 3, 4u) == cudaSuccess);
  cluster.val.clusterDim = {0, 1, 1};
  CHECK(cudaLaunchKernelEx(&config, add_value, a.data, 3, 4u) == cudaErrorInvalidValue);
}

TEST_CASE("LaunchKernel.RefusesABadShapeAtOnce") {
  FindingLog log;
  Floats a(4);
  Arguments args{a.data, 1, 4};
  CHECK(cudaLaunchKernel(add_value, dim3(1), dim3(33, 32), args.pointers, 0, nullptr) == cudaErrorInvalidConfiguration);
  CHECK(log.take_headline() == "block has 1056 threads, the limit is 1024");
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("Launch.ARefusedShapeIsSeenByGetLastErrorOnly") {
  FindingLog log;
  Floats a(4);
  OFFGRID_TEST_LAUNCH(0, 4, 0, nullptr, add_value(a.data, 1.0f, 4));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
}

TEST_CASE("Launch.AFaultIsReturnedByTheNextWaitOnce") {
  FindingLog log;
  int* freed = nullptr;
  cudaMalloc(&freed, 64);
  cudaFree(freed);
  OFFGRID_TEST_LAUNCH(1, 1, 0, nullptr, write_to(freed));
  REQUIRE(log.findings.size() == 1);
  CHECK(log.findings[0].id == FindingId::kUseAfterFree);
  CHECK(cudaPeekAtLastError() == cudaErrorIllegalAddress);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);  // not sticky: the next launch works
  Floats a(4);
  OFFGRID_TEST_LAUNCH(1, 4, 0, nullptr, add_value(a.data, 1.0f, 4));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(a.first() == 1.0f);
}

TEST_CASE("Launch.AFaultIsReturnedByCopiesAndEvents") {
  FindingLog log;
  Floats a(1);
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  int* freed = nullptr;
  cudaMalloc(&freed, 64);
  cudaFree(freed);
  OFFGRID_TEST_LAUNCH(1, 1, 0, nullptr, write_to(freed));
  float host = 0;
  CHECK(cudaMemcpy(&host, a.data, 4, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
  OFFGRID_TEST_LAUNCH(1, 1, 0, nullptr, write_to(freed));
  cudaEventRecord(event);
  CHECK(cudaEventSynchronize(event) == cudaErrorIllegalAddress);
  cudaEventDestroy(event);
}

TEST_CASE("FuncSetAttribute.OptsInToSharedMemory") {
  FindingLog log;
  Floats a(4);
  const auto launch = [&](std::size_t shared) {
    OFFGRID_TEST_LAUNCH(1, 4, shared, nullptr, add_value(a.data, 1.0f, 4));
    log.findings.clear();
    return cudaGetLastError();
  };
  CHECK(launch(100 * 1024) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(add_value, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024) == cudaSuccess);
  CHECK(launch(100 * 1024) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(add_value, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024) ==
        cudaErrorInvalidValue);
  CHECK(log.take_headline() == "opt-in to 233472 bytes of dynamic shared memory, the limit is 232448");
  CHECK(cudaFuncSetAttribute(add_value, cudaFuncAttributeMaxDynamicSharedMemorySize, 0) == cudaSuccess);
  CHECK(launch(100 * 1024) == cudaErrorInvalidValue);
}

TEST_CASE("FuncGetAttributes.KnowsLaunchBounds") {
  FindingLog log;
  cudaFuncAttributes attributes{};
  REQUIRE(cudaFuncGetAttributes(&attributes, bounded) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 128);
  CHECK(attributes.maxDynamicSharedSizeBytes == 48 * 1024);
  REQUIRE(cudaFuncGetAttributes(&attributes, add_value) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  CHECK(attributes.binaryVersion == 90);
  const void* none = nullptr;
  CHECK(cudaFuncGetAttributes(&attributes, none) == cudaErrorInvalidDeviceFunction);
  CHECK(log.take_headline() == "the function given to cudaFuncGetAttributes is not a kernel");
}

TEST_CASE("Occupancy.QueriesUseTheProfile") {
  FindingLog log;
  int blocks = 0, grid = 0, block = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_value, 256, 0) == cudaSuccess);
  CHECK(blocks == 8);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_value, 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_value, 0, 0) == cudaSuccess);
  CHECK(block == 1024);
  CHECK(grid == 2 * 132);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded) == cudaSuccess);
  CHECK(block == 128);
  // 64 B a thread: a block of 1024 would need 64 KiB, more than a kernel without opt-in gets.
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, add_value, [](int t) { return t * 64; }) ==
        cudaSuccess);
  CHECK(block == 512);
  std::size_t bytes = 0;
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add_value, 8, 256) == cudaSuccess);
  CHECK(bytes == 228 * 1024 / 8 - 1024);
}

TEST_CASE("Clusters.FunctionAttributes") {
  FindingLog log;
  cudaFuncAttributes attributes{};
  REQUIRE(cudaFuncGetAttributes(&attributes, clustered) == cudaSuccess);
  CHECK(attributes.requiredClusterWidth == 2);
  CHECK(attributes.requiredClusterHeight == 1);
  CHECK(attributes.requiredClusterDepth == 1);
  CHECK(attributes.nonPortableClusterSizeAllowed == 0);
  CHECK(cudaFuncSetAttribute(clustered, cudaFuncAttributeRequiredClusterWidth, 4) == cudaErrorNotPermitted);
  CHECK(cudaFuncSetAttribute(bounded, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(bounded, cudaFuncAttributeClusterSchedulingPolicyPreference,
                             cudaClusterSchedulingPolicySpread) == cudaSuccess);
  REQUIRE(cudaFuncGetAttributes(&attributes, bounded) == cudaSuccess);
  CHECK(attributes.nonPortableClusterSizeAllowed == 1);
  CHECK(attributes.clusterSchedulingPolicyPreference == 1);
  CHECK(attributes.clusterDimMustBeSet == 0);
  CHECK(cudaFuncSetAttribute(bounded, cudaFuncAttributeNonPortableClusterSizeAllowed, 0) == cudaSuccess);
}

TEST_CASE("Clusters.RequiredDimensionsHoldForPlainLaunches") {
  FindingLog log;
  Floats a(4);
  const auto require = [](int x, int y, int z) {
    cudaFuncSetAttribute(add_value, cudaFuncAttributeRequiredClusterWidth, x);
    cudaFuncSetAttribute(add_value, cudaFuncAttributeRequiredClusterHeight, y);
    cudaFuncSetAttribute(add_value, cudaFuncAttributeRequiredClusterDepth, z);
  };
  const auto launch = [&](unsigned blocks) {
    OFFGRID_TEST_LAUNCH(blocks, 4, 0, nullptr, add_value(a.data, 1.0f, 4));
    return cudaGetLastError();
  };
  require(3, 1, 1);
  CHECK(launch(3) == cudaSuccess);
  CHECK(launch(4) == cudaErrorInvalidClusterSize);
  CHECK(log.take_headline() == "the grid (4, 1, 1) is not made of whole clusters of (3, 1, 1)");
  require(3, 0, 1);
  CHECK(launch(3) == cudaErrorInvalidClusterSize);
  CHECK(log.take_headline() == "a cluster has a dimension of 0");
  require(0, 0, 0);
  CHECK(launch(4) == cudaSuccess);
}

TEST_CASE("Clusters.OccupancyCountsGroupsOfMultiprocessors") {
  FindingLog log;
  cudaLaunchAttribute attributes[3]{};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = {8, 1, 1};
  attributes[1].id = cudaLaunchAttributePriority;
  attributes[1].val.priority = -1;
  attributes[2].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[2].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(8);
  config.blockDim = dim3(1024);
  config.attrs = attributes;
  config.numAttrs = 3;
  int clusters = 0, blocks = 0;
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, add_value, &config) == cudaSuccess);
  CHECK(clusters == 2 * 4 + 6 * 4);  // 2 blocks a multiprocessor; 2 groups of 18 and 6 of 16
  CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, add_value, &config) == cudaSuccess);
  CHECK(blocks == 8);
  attributes[0].val.clusterDim.x = 16;
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, add_value, &config) == cudaErrorInvalidClusterSize);
  CHECK(cudaFuncSetAttribute(add_value, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess);
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, add_value, &config) == cudaSuccess);
  CHECK(clusters == 2 * 2 + 6 * 2);
  CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, add_value, &config) == cudaSuccess);
  CHECK(blocks == 16);
  CHECK(cudaFuncSetAttribute(add_value, cudaFuncAttributeNonPortableClusterSizeAllowed, 0) == cudaSuccess);
  config.numAttrs = 0;
  CHECK(cudaOccupancyMaxActiveClusters(&clusters, add_value, &config) == cudaErrorInvalidClusterSize);
}
