// cudaGetDeviceProperties and cudaDeviceGetAttribute, from the active profile.
#include <offgrid/emu/engine.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "host/api_call.h"

using namespace offgrid::emu;
using namespace offgrid::emu::host;

namespace {

void copy_text(char (&to)[256], std::string_view from) {
  const std::size_t n = std::min(from.size(), sizeof(to) - 1);
  std::memcpy(to, from.data(), n);
  to[n] = '\0';
}

void fill_identity(cudaDeviceProp& d, const DeviceProfile& p) {
  copy_text(d.name, p.product);
  std::memcpy(d.uuid.bytes, "offgrid-device-0", sizeof d.uuid.bytes);
  d.major = p.major;
  d.minor = p.minor;
  d.pciBusID = 1;
  if (p.vendor != Vendor::kAmd) return;
  copy_text(d.gcnArchName, p.name);
  d.gcnArch = p.major * 100 + p.minor * 10;
}

void fill_memory(cudaDeviceProp& d, const DeviceProfile& p) {
  d.totalGlobalMem = DeviceMemory::instance().limit();
  d.totalConstMem = p.constant_bytes;
  d.memPitch = 2147483647;
  d.sharedMemPerBlock = p.shared_per_block;
  d.sharedMemPerBlockOptin = p.shared_per_block_optin;
  d.sharedMemPerMultiprocessor = d.maxSharedMemoryPerMultiProcessor = p.shared_per_multiprocessor;
  d.reservedSharedMemPerBlock = p.shared_reserved_per_block;
  d.l2CacheSize = static_cast<int>(p.l2_bytes);
  d.memoryBusWidth = static_cast<int>(p.memory_bus_bits);
  d.memoryClockRate = static_cast<int>(p.memory_clock_khz);
}

void fill_compute(cudaDeviceProp& d, const DeviceProfile& p) {
  d.clockRate = d.clockInstructionRate = static_cast<int>(p.clock_khz);
  d.warpSize = static_cast<int>(p.warp_size);
  d.multiProcessorCount = static_cast<int>(p.multiprocessors);
  d.maxThreadsPerBlock = static_cast<int>(p.max_threads_per_block);
  for (int i = 0; i < 3; ++i) {
    d.maxThreadsDim[i] = static_cast<int>(p.max_block_dim[i]);
    d.maxGridSize[i] = static_cast<int>(p.max_grid_dim[i]);
  }
  d.maxThreadsPerMultiProcessor = static_cast<int>(p.max_threads_per_multiprocessor);
  d.maxBlocksPerMultiProcessor = static_cast<int>(p.max_blocks_per_multiprocessor);
  d.regsPerBlock = static_cast<int>(p.registers_per_block);
  d.regsPerMultiprocessor = static_cast<int>(p.registers_per_multiprocessor);
  d.singleToDoublePrecisionPerfRatio = 2;
}

/// Alignments are reported although textures are not modelled: programs use them to lay out plain memory.
void fill_abilities(cudaDeviceProp& d, const DeviceProfile& p) {
  d.textureAlignment = d.surfaceAlignment = 512;
  d.texturePitchAlignment = 32;
  d.deviceOverlap = d.concurrentKernels = d.canMapHostMemory = d.unifiedAddressing = 1;
  d.asyncEngineCount = 2;
  d.streamPrioritiesSupported = d.globalL1CacheSupported = d.localL1CacheSupported = 1;
  d.managedMemory = d.concurrentManagedAccess = d.computePreemptionSupported = 1;
  d.canUseHostPointerForRegisteredMem = d.hostRegisterSupported = 1;
  d.cooperativeLaunch = d.memoryPoolsSupported = 1;
  d.clusterLaunch = p.vendor == Vendor::kNvidia && p.major >= 9;
  d.arch = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 0};
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  OFFGRID_API_CALL("GetDeviceProperties");
  if (properties == nullptr) return api.done(cudaErrorInvalidValue);
  if (device != 0) return api.done(cudaErrorInvalidDevice);
  const DeviceProfile& profile = active_profile();
  *properties = {};
  fill_identity(*properties, profile);
  fill_memory(*properties, profile);
  fill_compute(*properties, profile);
  fill_abilities(*properties, profile);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  OFFGRID_API_CALL("DeviceGetAttribute");
  if (value == nullptr) return api.done(cudaErrorInvalidValue);
  if (device != 0) return api.done(cudaErrorInvalidDevice);
  const DeviceProfile& p = active_profile();
  switch (attribute) {
#define OFFGRID_ROW(number, cuda, hip, expression) \
  case cuda:                                       \
    *value = static_cast<int>(expression);         \
    return cudaSuccess;
    OFFGRID_DEVICE_ATTRIBUTES(OFFGRID_ROW)
#undef OFFGRID_ROW
    default:
      return api.done(cudaErrorInvalidValue);
  }
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  OFFGRID_API_CALL("ChooseDevice");
  if (device == nullptr || wanted == nullptr) return api.done(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

}  // extern "C"
