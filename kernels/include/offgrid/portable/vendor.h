/// Which runtime this file is compiled for, decided here and nowhere else: OFFGRID_VENDOR_EMU, _CUDA or _HIP is 1.
///
/// Kernel sources tell by their compiler. Plain C++ files that only talk to the runtime see the same host headers on
/// the emulator and on CUDA, so their build sets OFFGRID_VENDOR_EMU=1 (the CMake target offgrid::kernels does).
#pragma once

#if !defined(OFFGRID_VENDOR_EMU) && !defined(OFFGRID_VENDOR_CUDA) && !defined(OFFGRID_VENDOR_HIP)
#if defined(__OFFGRID__)
#define OFFGRID_VENDOR_EMU 1
#elif defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
#define OFFGRID_VENDOR_HIP 1
#else
#define OFFGRID_VENDOR_CUDA 1
#endif
#endif

#ifndef OFFGRID_VENDOR_EMU
#define OFFGRID_VENDOR_EMU 0
#endif
#ifndef OFFGRID_VENDOR_CUDA
#define OFFGRID_VENDOR_CUDA 0
#endif
#ifndef OFFGRID_VENDOR_HIP
#define OFFGRID_VENDOR_HIP 0
#endif
