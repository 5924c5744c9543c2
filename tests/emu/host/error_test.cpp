// The error table under both spellings, and the last error.
#include <offgrid/emu/host/hip_api.h>

#include <cstring>
#include <set>
#include <string>

#include "host/last_error.h"
#include "host_fixture.h"

using offgrid::emu::LaunchError;
using offgrid::test::FindingLog;

TEST_CASE("ErrorTable.NamesAndTexts") {
  CHECK(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
  CHECK(std::string(hipGetErrorName(hipErrorOutOfMemory)) == "hipErrorOutOfMemory");
  CHECK(std::string(cudaGetErrorString(cudaSuccess)) == "no error");
  CHECK(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)) == "out of memory");
  CHECK(std::string(hipGetErrorString(hipErrorInvalidValue)) == "invalid argument");
  CHECK(std::string(cudaGetErrorName(static_cast<cudaError_t>(12345))) == "unrecognized error code");
  CHECK(std::string(hipGetErrorName(static_cast<hipError_t>(12345))) == "hipErrorUnknown");
}

TEST_CASE("ErrorTable.EveryRowHasItsOwnValueAndNames") {
  std::set<int> values;
  std::set<std::string> names;
  std::size_t rows = 0;
#define OFFGRID_ROW(value, cuda, hip, text)    \
  ++rows;                                      \
  values.insert(value);                        \
  names.insert(#cuda);                         \
  names.insert(#hip);                          \
  CHECK(std::strlen(text) > 5);                \
  CHECK(std::string(#cuda).find("cuda") == 0); \
  CHECK(std::string(#hip).find("hip") == 0);
  OFFGRID_HOST_ERRORS(OFFGRID_ROW)
#undef OFFGRID_ROW
  CHECK(values.size() == rows);
  CHECK(names.size() == 2 * rows);
}

TEST_CASE("ErrorTable.LaunchErrorsHaveCudasCodes") {
  using offgrid::emu::host::to_cuda_error;
  CHECK(to_cuda_error(LaunchError::kInvalidConfiguration) == 9);
  CHECK(to_cuda_error(LaunchError::kIllegalAddress) == 700);
  CHECK(to_cuda_error(LaunchError::kOutOfResources) == 701);
  CHECK(to_cuda_error(LaunchError::kTimeout) == 702);
  CHECK(to_cuda_error(LaunchError::kAssert) == 710);
  CHECK(to_cuda_error(LaunchError::kTrap) == 719);
  CHECK(to_cuda_error(LaunchError::kCooperativeTooLarge) == 720);
}

TEST_CASE("LastError.IsReturnedOnceAndOnlyPeekedAtByPeek") {
  FindingLog log;
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("LastError.SurvivesSuccessfulCalls") {
  FindingLog log;
  cudaSetDevice(7);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
}
