// What probe kernels are written in.
//
// OFFGRID_OR_NAIVE(real, naive): `real` is what the probe is about. The build with OFFGRID_PROBES_NAIVE has `naive` in
// its place, what an emulator would do that did not know the meaning: there every probe must fail.
#pragma once

#include <offgrid/portable/device.h>
#include <offgrid/portable/gpu.h>

#include <string>
#include <utility>

#include "probes/probe.h"

#ifndef OFFGRID_PROBES_NAIVE
#define OFFGRID_PROBES_NAIVE 0
#endif
#if OFFGRID_PROBES_NAIVE
#define OFFGRID_OR_NAIVE(real, naive) (naive)
#else
#define OFFGRID_OR_NAIVE(real, naive) (real)
#endif

#if !OFFGRID_PROBES_NAIVE  // which alone calls the functions that naive expressions are made of
#if defined(__NVCC__)
#pragma nv_diag_suppress 177
#elif defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#endif

#if OFFGRID_VENDOR_HIP
// The masked names, which HIP's older headers lack. A wave of 32 lanes; those outside the mask are not active.
template <class T>
__device__ inline T __shfl_sync(unsigned, T v, int lane, int width = 32) {
  return __shfl(v, lane, width);
}
template <class T>
__device__ inline T __shfl_up_sync(unsigned, T v, unsigned delta, int width = 32) {
  return __shfl_up(v, delta, width);
}
template <class T>
__device__ inline T __shfl_down_sync(unsigned, T v, unsigned delta, int width = 32) {
  return __shfl_down(v, delta, width);
}
template <class T>
__device__ inline T __shfl_xor_sync(unsigned, T v, int lane_xor, int width = 32) {
  return __shfl_xor(v, lane_xor, width);
}
__device__ inline unsigned __ballot_sync(unsigned mask, int p) { return static_cast<unsigned>(__ballot(p)) & mask; }
__device__ inline int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }
__device__ inline int __all_sync(unsigned mask, int p) { return __ballot_sync(mask, p) == mask; }
__device__ inline void __syncwarp(unsigned = 0xffffffffu) {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
}
#endif

namespace offgrid::probes {

inline constexpr bool kNaive = OFFGRID_PROBES_NAIVE != 0;
inline constexpr unsigned kAllLanes = 0xffffffffu;

/// atomicInc and atomicDec; those of HIP's older headers name intrinsics that newer compilers do not have.
#if OFFGRID_VENDOR_HIP
__device__ inline unsigned atomic_inc(unsigned* cell, unsigned limit) {
  return __builtin_amdgcn_atomic_inc32(cell, limit, __ATOMIC_RELAXED, "agent");
}
__device__ inline unsigned atomic_dec(unsigned* cell, unsigned limit) {
  return __builtin_amdgcn_atomic_dec32(cell, limit, __ATOMIC_RELAXED, "agent");
}
#else
__device__ inline unsigned atomic_inc(unsigned* cell, unsigned limit) { return atomicInc(cell, limit); }
__device__ inline unsigned atomic_dec(unsigned* cell, unsigned limit) { return atomicDec(cell, limit); }
#endif

__device__ inline float f32(unsigned x) { return __uint_as_float(x); }
__device__ inline unsigned bits(float x) { return __float_as_uint(x); }
__device__ inline unsigned bits(int x) { return static_cast<unsigned>(x); }
__device__ inline unsigned bits(unsigned x) { return x; }
__device__ inline unsigned bits(bool x) { return x ? 1u : 0u; }
__device__ inline unsigned long long bits(unsigned long long x) { return x; }
__device__ inline unsigned long long bits(long long x) { return static_cast<unsigned long long>(x); }
__device__ inline unsigned long long bits(double x) { return static_cast<unsigned long long>(__double_as_longlong(x)); }
#if !OFFGRID_VENDOR_HIP
__device__ inline unsigned bits(__half x) { return __half_as_ushort(x); }
__device__ inline unsigned bits(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
__device__ inline unsigned bits(__half2 x) { return bits(__low2half(x)) | bits(__high2half(x)) << 16; }
#endif
__device__ inline unsigned long long u64(unsigned low, unsigned high) {
  return static_cast<unsigned long long>(high) << 32 | low;
}
__device__ inline double f64(unsigned low, unsigned high) {
  return __longlong_as_double(static_cast<long long>(u64(low, high)));
}

/// What OFFGRID_MAP defines: one operation on up to three words, a result of one word or two.
#define OFFGRID_MAP(Name, real, naive)                                                   \
  struct Name {                                                                          \
    __device__ static auto run([[maybe_unused]] unsigned a, [[maybe_unused]] unsigned b, \
                               [[maybe_unused]] unsigned c) {                            \
      return bits(OFFGRID_OR_NAIVE(real, naive));                                        \
    }                                                                                    \
  }

/// in: [n, 3], out: [n] or [n, 2]
template <class Operation>
__global__ void map_kernel(const unsigned* in, unsigned* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const auto result = Operation::run(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
  if (sizeof(result) == 8) {
    out[2 * i] = static_cast<unsigned>(result);
    out[2 * i + 1] = static_cast<unsigned>(static_cast<unsigned long long>(result) >> 32);
  } else {
    out[i] = static_cast<unsigned>(result);
  }
}

inline Words flat(const std::vector<Triple>& operands) {
  Words words;
  for (const Triple& t : operands) words.insert(words.end(), t.begin(), t.end());
  return words;
}

/// A probe of an operation over a table of operands. `want` gives one word for each of them, or two packed in 64 bits.
template <class Operation, class Want>
Probe map_probe(std::string name, std::vector<Triple> operands, Want want, std::string format = "u32") {
  using Result = decltype(want(0u, 0u, 0u));
  const int n = static_cast<int>(operands.size());
  return {std::move(name),
          std::move(format),
          flat(operands),
          operands.size() * sizeof(Result) / 4,
          [n](const unsigned* in, unsigned* out) { map_kernel<Operation><<<(n + 63) / 64, 64>>>(in, out, n); },
          [operands, want] {
            Words words;
            for (const Triple& t : operands) {
              const Result result = want(t[0], t[1], t[2]);
              words.push_back(static_cast<std::uint32_t>(result));
              if (sizeof(Result) == 8) {
                words.push_back(static_cast<std::uint32_t>(static_cast<std::uint64_t>(result) >> 32));
              }
            }
            return words;
          }};
}

}  // namespace offgrid::probes
