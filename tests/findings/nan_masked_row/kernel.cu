// Online softmax: while a row has seen only masked keys, its maximum is -inf, and -inf - -inf is NaN.
#include "../case.h"

constexpr int kRows = 3, kKeys = 8;

__global__ void buggy(const float* scores, float* sums) {
  float maximum = -INFINITY, sum = 0;
  for (int key = 0; key < kKeys; ++key) {
    const float score = scores[threadIdx.x * kKeys + key];
    const float next = fmaxf(maximum, score);
    sum = sum * expf(maximum - next) + expf(score - next);
    maximum = next;
  }
  sums[threadIdx.x] = sum;
}

__global__ void fixed(const float* scores, float* sums) {
  float maximum = -INFINITY, sum = 0;
  for (int key = 0; key < kKeys; ++key) {
    const float score = scores[threadIdx.x * kKeys + key];
    const float next = fmaxf(maximum, score), base = next == -INFINITY ? 0 : next;
    sum = sum * expf(maximum - base) + expf(score - base);
    maximum = next;
  }
  sums[threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  float host[kRows * kKeys], result[kRows], *scores, *sums;
  for (int i = 0; i < kRows * kKeys; ++i) host[i] = i % kKeys < 3 * (i / kKeys) ? -INFINITY : 0.5f * (i % kKeys);
  cudaMalloc(&scores, sizeof host);
  cudaMalloc(&sums, sizeof result);
  cudaMemcpy(scores, host, sizeof host, cudaMemcpyHostToDevice);
  if (wants_bug(argc, argv)) {
    buggy<<<1, kRows>>>(scores, sums);
  } else {
    fixed<<<1, kRows>>>(scores, sums);
  }
  cudaMemcpy(result, sums, sizeof result, cudaMemcpyDeviceToHost);
  return finish();
}
