/// cudaRoundMode, a name of CUDA's device_types.h that both the fp8 and the runtime headers need.
#pragma once

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
