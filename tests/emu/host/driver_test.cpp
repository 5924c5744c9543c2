// cuda.h: the driver's spelling of what runtime programs mix in.
#include <cuda.h>

#include <string>

#include "host_fixture.h"

using namespace offgrid::test;

TEST_CASE("Driver.MemoryRoundTrip") {
  FindingLog log;
  CUdeviceptr p = 0;
  CUcontext context = nullptr;
  CUdevice device = -1;
  REQUIRE(cuInit(0) == CUDA_SUCCESS);
  REQUIRE(cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  REQUIRE(cuCtxCreate(&context, 0, device) == CUDA_SUCCESS);
  REQUIRE(cuMemAlloc(&p, 16) == CUDA_SUCCESS);
  const int in[4] = {1, 2, 3, 4};
  int out[4] = {};
  CHECK(cuMemcpyHtoD(p, in, 16) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH(out, p + 4, 12) == CUDA_SUCCESS);
  CHECK(out[2] == 4);
  CHECK(cuMemcpyDtoH(out, p + 4, 16) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemFree(p) == CUDA_SUCCESS);
  CHECK(cuMemAlloc(&p, 0) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("Driver.DeviceQuestions") {
  int value = 0;
  CHECK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0) == CUDA_SUCCESS);
  CHECK(value == 32);
  char name[64] = {};
  CHECK(cuDeviceGetName(name, sizeof name, 0) == CUDA_SUCCESS);
  CHECK(name == std::string("NVIDIA H200"));
  CHECK(cuDeviceGet(&value, 3) == CUDA_ERROR_INVALID_DEVICE);
}

TEST_CASE("Driver.ModulesAreNotSupported") {
  CUmodule module = nullptr;
  const char* name = nullptr;
  const CUresult error = cuModuleLoad(&module, "kernels.cubin");
  CHECK(error == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(cuGetErrorName(error, &name) == CUDA_SUCCESS);
  CHECK(name == std::string("CUDA_ERROR_NOT_SUPPORTED"));
}
