/// The error that cudaGetLastError returns, one a thread, and its meeting with the errors of launches.
#pragma once

#include <offgrid/emu/host/error.h>
#include <offgrid/emu/launch.h>

namespace offgrid::emu::host {

void set_last_error(cudaError_t error);
cudaError_t to_cuda_error(LaunchError error);

/// True for errors that a device finds while a kernel runs, and that only a later call returns.
bool is_asynchronous(LaunchError error);

/// What a call that waits for the device returns: the asynchronous error of an earlier launch, once.
cudaError_t take_asynchronous_error();

}  // namespace offgrid::emu::host
