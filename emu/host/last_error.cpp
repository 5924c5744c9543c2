// Error names and texts, the last error, and what LaunchError means to the runtime.
#include "host/last_error.h"

#include <offgrid/emu/host/hip_api.h>

#include <utility>

namespace offgrid::emu::host {
namespace {

struct ErrorRow {
  cudaError_t value;
  const char *cuda, *hip, *text;
};

constexpr ErrorRow kErrors[] = {
#define OFFGRID_ROW(value, cuda, hip, text) {cuda, #cuda, #hip, text},
    OFFGRID_HOST_ERRORS(OFFGRID_ROW)
#undef OFFGRID_ROW
};

const ErrorRow* row_of(cudaError_t error) {
  for (const ErrorRow& row : kErrors) {
    if (row.value == error) return &row;
  }
  return nullptr;
}

thread_local cudaError_t last_error = cudaSuccess;

}  // namespace

void set_last_error(cudaError_t error) { last_error = error; }

cudaError_t to_cuda_error(LaunchError error) {
  switch (error) {
    case LaunchError::kNone:
      return cudaSuccess;
    case LaunchError::kInvalidConfiguration:
      return cudaErrorInvalidConfiguration;
    case LaunchError::kInvalidValue:
      return cudaErrorInvalidValue;
    case LaunchError::kOutOfResources:
      return cudaErrorLaunchOutOfResources;
    case LaunchError::kCooperativeTooLarge:
      return cudaErrorCooperativeLaunchTooLarge;
    case LaunchError::kInvalidClusterSize:
      return cudaErrorInvalidClusterSize;
    case LaunchError::kIllegalAddress:
      return cudaErrorIllegalAddress;
    case LaunchError::kMisaligned:
      return cudaErrorMisalignedAddress;
    case LaunchError::kAssert:
      return cudaErrorAssert;
    case LaunchError::kIllegalInstruction:
      return cudaErrorIllegalInstruction;
    case LaunchError::kTrap:
      return cudaErrorLaunchFailure;
    case LaunchError::kTimeout:
      return cudaErrorLaunchTimeout;
    case LaunchError::kNotSupported:
      return cudaErrorNotSupported;
  }
  return cudaErrorUnknown;
}

bool is_asynchronous(LaunchError error) {
  switch (error) {
    case LaunchError::kNone:
    case LaunchError::kInvalidConfiguration:
    case LaunchError::kInvalidValue:
    case LaunchError::kOutOfResources:
    case LaunchError::kCooperativeTooLarge:
    case LaunchError::kInvalidClusterSize:
      return false;
    default:
      return true;
  }
}

cudaError_t take_asynchronous_error() {
  if (!is_asynchronous(peek_launch_error())) return cudaSuccess;
  last_error = to_cuda_error(take_launch_error());
  return last_error;
}

}  // namespace offgrid::emu::host

using namespace offgrid::emu::host;

extern "C" {

cudaError_t cudaGetLastError() {
  const cudaError_t launch = to_cuda_error(offgrid::emu::take_launch_error());
  const cudaError_t own = std::exchange(last_error, cudaSuccess);
  return launch != cudaSuccess ? launch : own;
}

cudaError_t cudaPeekAtLastError() {
  const cudaError_t launch = to_cuda_error(offgrid::emu::peek_launch_error());
  return launch != cudaSuccess ? launch : last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
  const ErrorRow* row = row_of(error);
  return row != nullptr ? row->cuda : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorRow* row = row_of(error);
  return row != nullptr ? row->text : "unrecognized error code";
}

const char* hipGetErrorName(hipError_t error) {
  const ErrorRow* row = row_of(error);
  return row != nullptr ? row->hip : "hipErrorUnknown";
}

const char* hipGetErrorString(hipError_t error) { return cudaGetErrorString(error); }

}  // extern "C"
