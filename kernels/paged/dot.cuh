// The dot product of two fp16 rows in shared memory, two halves an instruction: portable::dot2 is fdot2 on gfx1030, two
// fused multiply-adds in fp32 elsewhere.
#pragma once

#include <offgrid/portable/device.h>

namespace offgrid::kernels {

using HalfPack = portable::Pack<portable::Fp16>;  // 8 halves, 16 bytes

// a . b over kPacks packs: one fp32 accumulator over the pairs d = 0, 2, 4, ...
template <int kPacks>
__device__ inline float dot_in_order(const HalfPack* a, const HalfPack* b) {
  float sum = 0.0f;
#pragma unroll 4
  for (int i = 0; i < kPacks; ++i) {
    const HalfPack x = a[i];
    const HalfPack y = b[i];
#pragma unroll
    for (int j = 0; j < HalfPack::kSize; j += 2) sum = portable::dot2(x.v[j], x.v[j + 1], y.v[j], y.v[j + 1], sum);
  }
  return sum;
}

}  // namespace offgrid::kernels
