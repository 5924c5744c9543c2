/// Launches as data: from parameter structs and argument arrays to calls.
#pragma once

#include "host/operation.h"

namespace offgrid::emu::host {

/// The kernel behind a function's address, or null after cudaErrorInvalidDeviceFunction and its finding.
KernelDescriptor* kernel_of(const ApiCall& api, const void* function, cudaError_t* error);

/// What a launch configuration with its attributes asks for.
cudaError_t config_of(const ApiCall& api, const cudaLaunchConfig_t* theirs, LaunchConfig* ours);

/// Builds the launch that a graph node's parameters name. `old`, if not null, is the launch it replaces: with a null
/// kernelParams its arguments are kept.
cudaError_t launch_from(const ApiCall& api, const cudaKernelNodeParams* parameters, const Launch* old, Launch* launch);

/// The inverse, without the arguments: kernelParams is null.
cudaKernelNodeParams parameters_of(const Launch& launch);

}  // namespace offgrid::emu::host
