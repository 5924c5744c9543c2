// cudaMemPoolXxx: pools keep their settings; all of them draw from the one device memory.
#include <offgrid/emu/memory.h>

#include <cstdint>

#include "host/api_call.h"
#include "host/handles.h"

struct CUmemPoolHandle_st {
  int reuse[3] = {1, 1, 1};  // follow events, opportunistic, internal dependencies
  std::uint64_t release_threshold = 0;
};

using namespace offgrid::emu;
using namespace offgrid::emu::host;

namespace {

CUmemPoolHandle_st& default_pool() {
  static CUmemPoolHandle_st& pool = *HandleSet<CUmemPoolHandle_st>::instance().add(new CUmemPoolHandle_st);
  return pool;
}

CUmemPoolHandle_st*& current_pool() {
  static CUmemPoolHandle_st* pool = &default_pool();
  return pool;
}

cudaError_t give_pool(const ApiCall& api, cudaMemPool_t* pool, int device, CUmemPoolHandle_st* value) {
  if (pool == nullptr) return api.done(cudaErrorInvalidValue);
  if (device != 0) return api.done(cudaErrorInvalidDevice);
  *pool = value;
  return cudaSuccess;
}

bool is_reuse_switch(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies && attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

int& reuse_switch(CUmemPoolHandle_st& pool, cudaMemPoolAttr attribute) {
  return pool.reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  OFFGRID_API_CALL("DeviceGetDefaultMemPool");
  return give_pool(api, pool, device, &default_pool());
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  OFFGRID_API_CALL("DeviceGetMemPool");
  return give_pool(api, pool, device, current_pool());
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  OFFGRID_API_CALL("DeviceSetMemPool");
  if (device != 0) return api.done(cudaErrorInvalidDevice);
  if (!is_alive(pool)) return api.done(cudaErrorInvalidValue);
  current_pool() = pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  OFFGRID_API_CALL("MemPoolCreate");
  if (pool == nullptr || properties == nullptr) return api.done(cudaErrorInvalidValue);
  *pool = HandleSet<CUmemPoolHandle_st>::instance().add(new CUmemPoolHandle_st);
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  OFFGRID_API_CALL("MemPoolDestroy");
  if (pool == &default_pool() || !HandleSet<CUmemPoolHandle_st>::instance().remove(pool)) {
    return api.done(cudaErrorInvalidValue);
  }
  if (current_pool() == pool) current_pool() = &default_pool();
  delete pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  OFFGRID_API_CALL("MemPoolTrimTo");
  return is_alive(pool) ? cudaSuccess : api.done(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  OFFGRID_API_CALL("MemPoolSetAttribute");
  if (!is_alive(pool) || value == nullptr) return api.done(cudaErrorInvalidValue);
  if (is_reuse_switch(attribute)) {
    reuse_switch(*pool, attribute) = *static_cast<const int*>(value);
  } else if (attribute == cudaMemPoolAttrReleaseThreshold) {
    pool->release_threshold = *static_cast<const std::uint64_t*>(value);
  } else if (attribute != cudaMemPoolAttrReservedMemHigh && attribute != cudaMemPoolAttrUsedMemHigh) {
    return api.done(cudaErrorInvalidValue);  // the high-water marks may be reset, which here changes nothing
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  OFFGRID_API_CALL("MemPoolGetAttribute");
  if (!is_alive(pool) || value == nullptr) return api.done(cudaErrorInvalidValue);
  if (is_reuse_switch(attribute)) {
    *static_cast<int*>(value) = reuse_switch(*pool, attribute);
  } else if (attribute == cudaMemPoolAttrReleaseThreshold) {
    *static_cast<std::uint64_t*>(value) = pool->release_threshold;
  } else if (attribute >= cudaMemPoolAttrReservedMemCurrent && attribute <= cudaMemPoolAttrUsedMemHigh) {
    *static_cast<std::uint64_t*>(value) = DeviceMemory::instance().live_bytes();
  } else {
    return api.done(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

}  // extern "C"
