// cudaDeviceXxx: there is one device, number 0, and it never has work left.
#include <array>
#include <cstring>

#include "host/last_error.h"
#include "host/streams.h"

using namespace offgrid::emu;
using namespace offgrid::emu::host;

namespace {

constexpr char kPciBusId[] = "0000:01:00.0";
constexpr int kVersion = CUDART_VERSION;

struct Settings {
  unsigned flags = cudaDeviceScheduleAuto;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
  // by cudaLimit: stack, printf buffer, malloc heap, sync depth, pending launches, L2 granularity, persisting L2
  std::array<size_t, 7> limits = {1024, size_t{1} << 20, size_t{8} << 20, 2, 2048, 64, 0};
};

Settings& settings() {
  static Settings s;
  return s;
}

bool is_known(cudaLimit limit) { return limit >= 0 && static_cast<size_t>(limit) < settings().limits.size(); }

cudaError_t check_device(const ApiCall& api, int device) {
  return device == 0 ? cudaSuccess : api.done(cudaErrorInvalidDevice);
}

template <class T, class U>
cudaError_t give(const ApiCall& api, T* out, const U& value) {
  if (out == nullptr) return api.done(cudaErrorInvalidValue);
  *out = value;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  OFFGRID_API_CALL("GetDeviceCount");
  return give(api, count, 1);
}

cudaError_t cudaGetDevice(int* device) {
  OFFGRID_API_CALL("GetDevice");
  return give(api, device, 0);
}

cudaError_t cudaSetDevice(int device) {
  OFFGRID_API_CALL("SetDevice");
  return check_device(api, device);
}

cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  OFFGRID_API_CALL("InitDevice");
  return check_device(api, device);
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  OFFGRID_API_CALL("SetValidDevices");
  if (count < 0 || (devices == nullptr && count > 0)) return api.done(cudaErrorInvalidValue);
  for (int i = 0; i < count; ++i) {
    if (devices[i] != 0) return api.done(cudaErrorInvalidDevice);
  }
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  OFFGRID_API_CALL("SetDeviceFlags");
  if ((flags & ~cudaDeviceMask) != 0) return api.done(cudaErrorInvalidValue);
  settings().flags = flags;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  OFFGRID_API_CALL("GetDeviceFlags");
  return give(api, flags, settings().flags);
}

cudaError_t cudaDeviceSynchronize() {
  OFFGRID_API_CALL("DeviceSynchronize");
  const cudaError_t error = refuse_to_wait(api, nullptr);
  if (error != cudaSuccess) return error;
  waited_for_all(api);
  return take_asynchronous_error();
}

/// Frees what this API has allocated (such memory knows the address of the allocating call). Streams, events and graphs
/// stay valid.
cudaError_t cudaDeviceReset() {
  OFFGRID_API_CALL("DeviceReset");
  waited_for_all(api);
  DeviceMemory& memory = DeviceMemory::instance();
  for (const Allocation& a : memory.live()) {
    if (a.site_pc != 0) memory.free(reinterpret_cast<void*>(a.begin));
  }
  settings() = {};
  const cudaError_t error = take_asynchronous_error();
  set_last_error(cudaSuccess);
  return error;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  OFFGRID_API_CALL("DeviceSetLimit");
  if (!is_known(limit)) return api.done(cudaErrorUnsupportedLimit);
  settings().limits[limit] = value;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  OFFGRID_API_CALL("DeviceGetLimit");
  if (!is_known(limit)) return api.done(cudaErrorUnsupportedLimit);
  return give(api, value, settings().limits[limit]);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  settings().cache = config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  OFFGRID_API_CALL("DeviceGetCacheConfig");
  return give(api, config, settings().cache);
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  settings().banks = config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  OFFGRID_API_CALL("DeviceGetSharedMemConfig");
  return give(api, config, settings().banks);
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  OFFGRID_API_CALL("DeviceGetPCIBusId");
  if (text == nullptr || bytes < static_cast<int>(sizeof kPciBusId)) return api.done(cudaErrorInvalidValue);
  const cudaError_t error = check_device(api, device);
  if (error == cudaSuccess) std::memcpy(text, kPciBusId, sizeof kPciBusId);
  return error;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  OFFGRID_API_CALL("DeviceGetByPCIBusId");
  if (text == nullptr || std::strcmp(text, kPciBusId) != 0) return api.done(cudaErrorInvalidValue);
  return give(api, device, 0);
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  OFFGRID_API_CALL("DeviceCanAccessPeer");
  if (device != 0 || peer != 0) return api.done(cudaErrorInvalidDevice);
  return give(api, can, 0);
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  OFFGRID_API_CALL("DeviceEnablePeerAccess");
  return api.done(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int) {
  OFFGRID_API_CALL("DeviceDisablePeerAccess");
  return api.done(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  OFFGRID_API_CALL("DeviceGetP2PAttribute");
  return api.done(cudaErrorInvalidDevice);
}

cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaDriverGetVersion(int* version) {
  OFFGRID_API_CALL("DriverGetVersion");
  return give(api, version, kVersion);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  OFFGRID_API_CALL("RuntimeGetVersion");
  return give(api, version, kVersion);
}

}  // extern "C"
