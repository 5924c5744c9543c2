/// The CUDA runtime API.
#pragma once

#include <offgrid/emu/host/function_table.h>
#include <offgrid/emu/host/overload_table.h>

#include <tuple>

#define CUDART_VERSION 13000
#define __CUDART_API_VERSION CUDART_VERSION
#define CUDART_CB
#define CUDARTAPI

extern "C" {
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
#define OFFGRID_ROW(name, parameters, arguments) cudaError_t cuda##name parameters;
OFFGRID_HOST_FUNCTIONS(OFFGRID_ROW)
#undef OFFGRID_ROW
}

namespace offgrid::emu::host {

template <class... P, class... A>
cudaError_t launch_with(const cudaLaunchConfig_t* config, void (*kernel)(P...), A&&... arguments) {
  std::tuple<std::decay_t<P>...> copies(std::forward<A>(arguments)...);
  return std::apply(
      [&](auto&... copy) {
        void* addresses[sizeof...(copy) + 1] = {const_cast<void*>(static_cast<const void*>(&copy))..., nullptr};
        return ::cudaLaunchKernelExC(config, address_of(kernel), addresses);
      },
      copies);
}

}  // namespace offgrid::emu::host

#define OFFGRID_UNWRAP(...) __VA_ARGS__
#define OFFGRID_ROW(head, name, parameters, result) \
  OFFGRID_UNWRAP head [[gnu::always_inline]] inline cudaError_t cuda##name parameters { return result; }
OFFGRID_HOST_OVERLOADS(OFFGRID_ROW)
#undef OFFGRID_ROW

// Names of older versions.
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
inline cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
