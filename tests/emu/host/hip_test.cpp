// HIP's spelling of the same functions.
#include <offgrid/emu/host/hip_api.h>

#include <string>

#include "host_fixture.h"

using namespace offgrid::test;

namespace {

/// The gfx1030 profile while it lives.
struct OnGfx1030 {
  OnGfx1030() : saved(offgrid::emu::engine_settings()) {
    auto settings = saved;
    settings.profile = offgrid::emu::find_device_profile("gfx1030");
    offgrid::emu::configure_engine(settings);
  }
  ~OnGfx1030() { offgrid::emu::configure_engine(saved); }
  offgrid::emu::EngineSettings saved;
};

int hip_symbol = 0;

}  // namespace

TEST_CASE("Hip.ValuesAreCudas") {
  CHECK(hipErrorOutOfMemory == cudaErrorMemoryAllocation);
  CHECK(hipMemcpyDeviceToHost == cudaMemcpyDeviceToHost);
  CHECK(hipStreamNonBlocking == cudaStreamNonBlocking);
  CHECK(hipDeviceAttributeWarpSize == cudaDevAttrWarpSize);
  CHECK(hipErrorLaunchFailure == 719);
}

TEST_CASE("Hip.MemoryRoundTrip") {
  FindingLog log;
  int *device = nullptr, *host = nullptr;
  REQUIRE(hipMalloc(&device, 16) == hipSuccess);
  REQUIRE(hipHostMalloc(&host, 16, hipHostMallocCoherent) == hipSuccess);
  host[3] = 42;
  CHECK(hipMemcpyHtoD(device, host, 16) == hipSuccess);
  host[3] = 0;
  CHECK(hipMemcpyAsync(host, device, 16, hipMemcpyDeviceToHost) == hipSuccess);
  CHECK(hipStreamSynchronize(nullptr) == hipSuccess);
  CHECK(host[3] == 42);
  CHECK(hipMemcpyToSymbol(hip_symbol, &host[3], sizeof(int)) == hipSuccess);
  CHECK(hip_symbol == 42);
  CHECK(hipFree(device) == hipSuccess);
  CHECK(hipHostFree(host) == hipSuccess);
}

TEST_CASE("Hip.PropertiesOfAnAmdDevice") {
  FindingLog log;
  const OnGfx1030 device;
  hipDeviceProp_t p;
  REQUIRE(hipGetDeviceProperties(&p, 0) == hipSuccess);
  CHECK(p.gcnArchName == std::string("gfx1030"));
  CHECK(p.gcnArch == 1030);
  CHECK(p.warpSize == 32);
  CHECK(p.sharedMemPerBlock == 65536);
  char name[64] = {};
  CHECK(hipDeviceGetName(name, sizeof name, 0) == hipSuccess);
  CHECK(name == std::string("AMD Radeon RX 6900 XT"));
}

TEST_CASE("Hip.FindingsSpeakHip") {
  FindingLog log;
  const OnGfx1030 device;
  int on_stack = 0;
  CHECK(hipFree(&on_stack) == hipErrorInvalidValue);
  CHECK(log.take_headline() == "hipFree of a pointer that the runtime did not allocate");
}
