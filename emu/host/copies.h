/// From the runtime's parameter structs to operations.
#pragma once

#include "host/operation.h"

namespace offgrid::emu::host {

/// cudaErrorNotSupported if an array takes part.
cudaError_t copy_from(const ApiCall& api, const cudaMemcpy3DParms* parameters, Copy* copy);

Fill fill_from(const cudaMemsetParams& parameters);

}  // namespace offgrid::emu::host
