// See planted.h.
#include <offgrid/portable/device.h>
#include <offgrid/portable/gpu.h>

#include "canary/planted.h"

namespace offgrid::canary {
namespace {

__device__ inline float value(portable::E4m3 x) { return portable::to_float(x); }
__device__ inline float value(portable::Bf16 x) { return portable::to_float(x); }
__device__ inline float value(float x) { return x; }

template <class T>
__global__ void planted_kernel(const T* in, T* out, int n, Defect defect) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i == n && defect == Defect::kWritesBehind) out[n] = portable::from_float<T>(1.0f);
  if (i == n && defect == Defect::kWritesBefore) out[-1] = portable::from_float<T>(1.0f);
  if (i == n && defect == Defect::kWritesTheLast) out[n - 1] = portable::from_float<T>(2.0f * value(in[n - 1]));
  if (i >= n || (i == 5 && defect == Defect::kLeavesOut)) return;
  float x = value(in[i]);
  if (i == 3 && defect == Defect::kReadsBehind) x += 0.0f * value(in[n]);
  out[i] = portable::from_float<T>(2.0f * x);
}

template <class T>
void launch(const void* in, void* out, int n, Defect defect) {
  planted_kernel<T><<<n / 64 + 1, 64>>>(static_cast<const T*>(in), static_cast<T*>(out), n, defect);
}

}  // namespace

void launch_planted(int element_bytes, const void* in, void* out, int n, Defect defect) {
  if (element_bytes == 4) launch<float>(in, out, n, defect);
  if (element_bytes == 2) launch<portable::Bf16>(in, out, n, defect);
  if (element_bytes == 1) launch<portable::E4m3>(in, out, n, defect);
  gpu::check_launch("planted kernel");
}

}  // namespace offgrid::canary
