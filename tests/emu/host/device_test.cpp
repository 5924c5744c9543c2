// The one device: properties and attributes agree with the profile and with each other.
#include <cstring>
#include <string>

#include "host_fixture.h"

using namespace offgrid::test;

TEST_CASE("Device.ThereIsOne") {
  FindingLog log;
  int count = 0, device = 5;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceCount(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice);
}

TEST_CASE("DeviceProperties.AreThoseOfTheProfile") {
  FindingLog log;
  cudaDeviceProp p;
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  const offgrid::emu::DeviceProfile& profile = offgrid::emu::active_profile();
  CHECK(p.name == std::string(profile.product));
  CHECK(p.warpSize == static_cast<int>(profile.warp_size));
  CHECK(p.multiProcessorCount == static_cast<int>(profile.multiprocessors));
  CHECK(p.sharedMemPerBlockOptin == profile.shared_per_block_optin);
  CHECK(p.totalGlobalMem <= profile.global_bytes);
  CHECK(cudaGetDeviceProperties(&p, 1) == cudaErrorInvalidDevice);
}

TEST_CASE("DeviceProperties.AgreeWithTheAttributes") {
  FindingLog log;
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  const auto attribute = [](cudaDeviceAttr which) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess);
    return value;
  };
  CHECK(attribute(cudaDevAttrMaxThreadsPerBlock) == p.maxThreadsPerBlock);
  CHECK(attribute(cudaDevAttrMaxGridDimY) == p.maxGridSize[1]);
  CHECK(attribute(cudaDevAttrWarpSize) == p.warpSize);
  CHECK(attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount);
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) == static_cast<int>(p.sharedMemPerBlockOptin));
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == p.major);
  CHECK(attribute(cudaDevAttrL2CacheSize) == p.l2CacheSize);
  CHECK(attribute(cudaDevAttrClockRate) == p.clockRate);
  CHECK(attribute(cudaDevAttrCooperativeLaunch) == p.cooperativeLaunch);
  CHECK(attribute(cudaDevAttrManagedMemory) == p.managedMemory);
  CHECK(attribute(cudaDevAttrConcurrentManagedAccess) == p.concurrentManagedAccess);
  CHECK(attribute(cudaDevAttrHostRegisterSupported) == p.hostRegisterSupported);
  CHECK(attribute(cudaDevAttrClusterLaunch) == p.clusterLaunch);
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0) == cudaErrorInvalidValue);
}

TEST_CASE("Device.LimitsAreKept") {
  FindingLog log;
  std::size_t value = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 26) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize) == cudaSuccess);
  CHECK(value == 1 << 26);
  CHECK(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(77)) == cudaErrorUnsupportedLimit);
}

TEST_CASE("Device.VersionsAreThoseOfCuda13") {
  int version = 0;
  CHECK(cudaRuntimeGetVersion(&version) == cudaSuccess);
  CHECK(version == 13000);
  CHECK(cudaDriverGetVersion(&version) == cudaSuccess);
  CHECK(version == 13000);
}

TEST_CASE("Device.IsFoundByItsBusId") {
  FindingLog log;
  char text[32] = {};
  int device = -1;
  REQUIRE(cudaDeviceGetPCIBusId(text, sizeof text, 0) == cudaSuccess);
  CHECK(cudaDeviceGetByPCIBusId(&device, text) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaDeviceGetPCIBusId(text, 4, 0) == cudaErrorInvalidValue);
}

TEST_CASE("DeviceReset.FreesWhatTheRuntimeAllocated") {
  FindingLog log;
  float* p = nullptr;
  cudaMalloc(&p, 64);
  void* kept = offgrid::emu::DeviceMemory::instance().allocate(64, offgrid::emu::MemoryKind::kDevice);
  cudaSetDevice(3);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK_FALSE(offgrid::emu::DeviceMemory::instance().contains(p, 1));
  CHECK(offgrid::emu::DeviceMemory::instance().contains(kept, 64));
  offgrid::emu::DeviceMemory::instance().free(kept);
}
