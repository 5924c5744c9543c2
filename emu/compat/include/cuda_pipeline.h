/// CUDA's pipeline header, answered by the emulator: the primitives.
#pragma once

#include <cuda_pipeline_primitives.h>
