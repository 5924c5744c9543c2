// An empty group has no members to divide among.
#include "../case.h"

__global__ void buggy(const int* members, int* share) {
  int t = threadIdx.x;
  share[t] = 100 / members[t];
}

__global__ void fixed(const int* members, int* share) {
  int t = threadIdx.x;
  share[t] = members[t] != 0 ? 100 / members[t] : 0;
}

int main(int argc, char** argv) {
  int *members, *share;
  cudaMalloc(&members, 32 * sizeof(int));
  cudaMalloc(&share, 32 * sizeof(int));
  cudaMemset(members, 0, 32 * sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(members, share);
  } else {
    fixed<<<1, 32>>>(members, share);
  }
  return finish();
}
