// The mean of an empty segment is 0 / 0. The twin divides as well, but selects another value.
#include "../case.h"

constexpr int kSegments = 32;

__global__ void buggy(const double* sums, const int* counts, double* means) {
  means[threadIdx.x] = sums[threadIdx.x] / counts[threadIdx.x];
}

__global__ void fixed(const double* sums, const int* counts, double* means) {
  const double mean = sums[threadIdx.x] / counts[threadIdx.x];
  means[threadIdx.x] = counts[threadIdx.x] > 0 ? mean : 0;
}

int main(int argc, char** argv) {
  double sums[kSegments], means[kSegments], *device_sums, *device_means;
  int counts[kSegments], *device_counts;
  for (int i = 0; i < kSegments; ++i) {
    counts[i] = i % 8;
    sums[i] = 1.5 * counts[i];
  }
  cudaMalloc(&device_sums, sizeof sums);
  cudaMalloc(&device_counts, sizeof counts);
  cudaMalloc(&device_means, sizeof means);
  cudaMemcpy(device_sums, sums, sizeof sums, cudaMemcpyHostToDevice);
  cudaMemcpy(device_counts, counts, sizeof counts, cudaMemcpyHostToDevice);
  if (wants_bug(argc, argv)) {
    buggy<<<1, kSegments>>>(device_sums, device_counts, device_means);
  } else {
    fixed<<<1, kSegments>>>(device_sums, device_counts, device_means);
  }
  cudaMemcpy(means, device_means, sizeof means, cudaMemcpyDeviceToHost);
  return finish();
}
