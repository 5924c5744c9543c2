// The steps of a walk are kept in an array of 45; the last step is stored one behind it, in the padding that the
// compiler gives the array. In the shared tile, walking across rows is meant.
#include "../case.h"

constexpr int kSteps = 45;

__device__ int across_rows(int t) {
  __shared__ int tile[4][8];
  tile[0][t] = t;
  __syncthreads();
  return tile[0][31 - t];
}

__global__ void buggy(int* sums, int last) {
  int visited[kSteps];
  const int t = threadIdx.x;
  for (int i = 0; i < kSteps; ++i) visited[i] = i * t;
  if (t == 3) visited[last] = 1;
  sums[t] = visited[(t * 7) % kSteps] + across_rows(t);
}

__global__ void fixed(int* sums, int last) {
  int visited[kSteps];
  const int t = threadIdx.x;
  for (int i = 0; i < kSteps; ++i) visited[i] = i * t;
  if (t == 3) visited[last - 1] = 1;
  sums[t] = visited[(t * 7) % kSteps] + across_rows(t);
}

int main(int argc, char** argv) {
  int* sums;
  cudaMalloc(&sums, 32 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(sums, kSteps);
  } else {
    fixed<<<1, 32>>>(sums, kSteps);
  }
  return finish();
}
