// cudaLaunchXxx and cudaFuncXxx.
#include "host/kernels.h"

#include <offgrid/emu/engine.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "host/last_error.h"
#include "host/streams.h"
#include "launch/occupancy.h"

using namespace offgrid::emu;
using namespace offgrid::emu::host;

namespace {

/// Where a captured launch's function should stand: it tells SetParams to keep the kernel.
const void* token(const Launch& launch) { return launch.function != nullptr ? launch.function : launch.call.kernel; }

cudaError_t not_a_kernel(const ApiCall& api) {
  return api.misuse(cudaErrorInvalidDeviceFunction,
                    {"the function given to " + api.name() + " is not a kernel", {}, "", nullptr});
}

cudaError_t build(const ApiCall& api, const void* function, const LaunchConfig& config, void** arguments, Launch* out) {
  KernelCall call = make_call(function, config, arguments);
  if (call.kernel == nullptr) return not_a_kernel(api);
  *out = {std::move(call), function};
  return cudaSuccess;
}

cudaError_t launch(const ApiCall& api, const void* function, const LaunchConfig& config, void** arguments) {
  Launch built;
  const cudaError_t error = build(api, function, config, arguments, &built);
  return error != cudaSuccess ? error : issue(api, static_cast<cudaStream_t>(config.stream), std::move(built));
}

/// The attributes of cudaLaunchKernelExC that change what a kernel may rely on; the others are hints, or order what is
/// in order here anyway.
cudaError_t apply(const ApiCall& api, const cudaLaunchAttribute& attribute, LaunchConfig* config) {
  if (attribute.id == cudaLaunchAttributeCooperative) config->cooperative = attribute.val.cooperative != 0;
  if (attribute.id == cudaLaunchAttributeClusterDimension) {
    const auto& cluster = attribute.val.clusterDim;
    if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0) return api.done(cudaErrorInvalidValue);
    config->cluster = dim3(cluster.x, cluster.y, cluster.z);
  }
  return cudaSuccess;
}

bool is_choice(int value, int most) { return value >= 0 && value <= most; }

/// The attributes that concern clusters. Nothing if it is none of them.
std::optional<cudaError_t> set_cluster_attribute(KernelDescriptor& kernel, cudaFuncAttribute attribute, int value) {
  const bool is_dimension =
      attribute >= cudaFuncAttributeRequiredClusterWidth && attribute <= cudaFuncAttributeRequiredClusterDepth;
  if (is_dimension || attribute == cudaFuncAttributeClusterDimMustBeSet) {
    if (kernel.cluster_is_declared) return cudaErrorNotPermitted;
    if (value < 0) return cudaErrorInvalidValue;
    if (is_dimension) {
      kernel.cluster[attribute - cudaFuncAttributeRequiredClusterWidth] = static_cast<unsigned>(value);
    } else {
      kernel.cluster_must_be_set = value != 0;
    }
    return cudaSuccess;
  }
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
    if (!is_choice(value, 1)) return cudaErrorInvalidValue;
    kernel.non_portable_cluster = value != 0;
    return cudaSuccess;
  }
  if (attribute == cudaFuncAttributeClusterSchedulingPolicyPreference) {
    if (!is_choice(value, cudaClusterSchedulingPolicyLoadBalancing)) return cudaErrorInvalidValue;
    kernel.cluster_scheduling = value;
    return cudaSuccess;
  }
  return {};
}

}  // namespace

namespace offgrid::emu::host {

cudaError_t config_of(const ApiCall& api, const cudaLaunchConfig_t* theirs, LaunchConfig* ours) {
  if (theirs == nullptr || (theirs->attrs == nullptr && theirs->numAttrs != 0)) return api.done(cudaErrorInvalidValue);
  *ours = {theirs->gridDim, theirs->blockDim, theirs->dynamicSmemBytes, theirs->stream, false, {}};
  for (unsigned i = 0; i < theirs->numAttrs; ++i) {
    const cudaError_t error = apply(api, theirs->attrs[i], ours);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

KernelDescriptor* kernel_of(const ApiCall& api, const void* function, cudaError_t* error) {
  KernelDescriptor* kernel = function != nullptr ? identify_kernel(function) : nullptr;
  if (kernel == nullptr) *error = not_a_kernel(api);
  return kernel;
}

cudaError_t launch_from(const ApiCall& api, const cudaKernelNodeParams* parameters, const Launch* old, Launch* out) {
  if (parameters == nullptr) return api.done(cudaErrorInvalidValue);
  if (parameters->extra != nullptr) return api.done(cudaErrorNotSupported);
  LaunchConfig config;
  if (old != nullptr) config = old->call.config;
  config.grid = parameters->gridDim;
  config.block = parameters->blockDim;
  config.dynamic_shared = parameters->sharedMemBytes;
  const bool same_kernel = old != nullptr && parameters->func == token(*old);
  if (same_kernel && parameters->kernelParams == nullptr) {
    *out = *old;
    out->call.config = config;
    return cudaSuccess;
  }
  // A token names a kernel, but only its address can take new arguments.
  const bool is_token = same_kernel && old->function == nullptr;
  if (is_token) return api.done(cudaErrorNotSupported);
  return build(api, parameters->func, config, parameters->kernelParams, out);
}

cudaKernelNodeParams parameters_of(const Launch& launch) {
  const LaunchConfig& config = launch.call.config;
  return {const_cast<void*>(token(launch)),
          config.grid,
          config.block,
          static_cast<unsigned>(config.dynamic_shared),
          nullptr,
          nullptr};
}

}  // namespace offgrid::emu::host

extern "C" {

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  OFFGRID_API_CALL("LaunchKernel");
  return launch(api, function, {grid, block, shared, stream, false, {}}, arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                                        cudaStream_t stream) {
  OFFGRID_API_CALL("LaunchCooperativeKernel");
  return launch(api, function, {grid, block, shared, stream, true, {}}, arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  OFFGRID_API_CALL("LaunchKernelExC");
  LaunchConfig ours;
  const cudaError_t error = config_of(api, config, &ours);
  return error != cudaSuccess ? error : launch(api, function, ours, arguments);
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  OFFGRID_API_CALL("FuncSetAttribute");
  cudaError_t error = cudaSuccess;
  KernelDescriptor* kernel = kernel_of(api, function, &error);
  if (kernel == nullptr) return error;
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
    if (value < -1 || value > 100) return api.done(cudaErrorInvalidValue);
    kernel->preferred_carveout = value;
    return cudaSuccess;
  }
  if (const auto result = set_cluster_attribute(*kernel, attribute, value)) return api.done(*result);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return api.done(cudaErrorInvalidValue);
  const size_t limit = active_profile().shared_per_block_optin;
  if (value >= 0 && kernel->static_shared + static_cast<size_t>(value) <= limit) {
    kernel->max_dynamic_shared = static_cast<size_t>(value);
    return cudaSuccess;
  }
  return api.misuse(
      cudaErrorInvalidValue,
      {"opt-in to " + std::to_string(value) + " bytes of dynamic shared memory, the limit is " +
           std::to_string(limit - std::min(limit, kernel->static_shared)),
       {"kernel " + kernel_name(*kernel) + ", static shared memory " + std::to_string(kernel->static_shared) +
        " bytes, device profile " + std::string(active_profile().name)},
       "use smaller tiles or fewer stages",
       nullptr});
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  OFFGRID_API_CALL("FuncGetAttributes");
  if (attributes == nullptr) return api.done(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const KernelDescriptor* kernel = kernel_of(api, function, &error);
  if (kernel == nullptr) return error;
  const DeviceProfile& profile = active_profile();
  *attributes = {};
  attributes->sharedSizeBytes = kernel->static_shared;
  attributes->maxThreadsPerBlock =
      kernel->max_threads > 0 ? kernel->max_threads : static_cast<int>(profile.max_threads_per_block);
  attributes->numRegs = static_cast<int>(assumed_registers(profile, *kernel));
  attributes->ptxVersion = attributes->binaryVersion = profile.major * 10 + profile.minor;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(profile, *kernel));
  attributes->preferredShmemCarveout = kernel->preferred_carveout;
  attributes->clusterDimMustBeSet = kernel->cluster_must_be_set || kernel->cluster_is_declared;
  attributes->requiredClusterWidth = static_cast<int>(kernel->cluster[0]);
  attributes->requiredClusterHeight = static_cast<int>(kernel->cluster[1]);
  attributes->requiredClusterDepth = static_cast<int>(kernel->cluster[2]);
  attributes->clusterSchedulingPolicyPreference = kernel->cluster_scheduling;
  attributes->nonPortableClusterSizeAllowed = kernel->non_portable_cluster;
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  OFFGRID_API_CALL("FuncSetCacheConfig");
  cudaError_t error = cudaSuccess;
  kernel_of(api, function, &error);
  return error;
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  OFFGRID_API_CALL("FuncSetSharedMemConfig");
  cudaError_t error = cudaSuccess;
  kernel_of(api, function, &error);
  return error;
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  OFFGRID_API_CALL("FuncGetName");
  if (name == nullptr) return api.done(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const KernelDescriptor* kernel = kernel_of(api, function, &error);
  if (kernel != nullptr) *name = kernel->pretty_name;
  return error;
}

}  // extern "C"
