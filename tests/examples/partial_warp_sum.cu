// A bug for `./dev demo`: the block has 48 threads, so its second warp is only half there.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void block_sum(const float* x, float* sum) {
  __shared__ float part[2];
  const int t = threadIdx.x;
  float v = x[t];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
  if (t % 32 == 0) part[t / 32] = v;
  __syncthreads();
  if (t == 0) *sum = part[0] + part[1];
}

int main() {
  float ones[48], sum = 0;
  for (float& one : ones) one = 1;
  float *x, *device_sum;
  cudaMalloc(&x, sizeof ones);
  cudaMalloc(&device_sum, sizeof sum);
  cudaMemcpy(x, ones, sizeof ones, cudaMemcpyHostToDevice);
  block_sum<<<1, 48>>>(x, device_sum);
  cudaMemcpy(&sum, device_sum, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("the sum of 48 ones is %g\n", sum);
}
