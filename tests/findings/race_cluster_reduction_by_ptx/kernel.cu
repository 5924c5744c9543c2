// Every block adds to a sum in the first one; atomics of cluster scope do not meet plain stores by the owner.
#include "../case.h"

__device__ unsigned in_first_block(const void* p) {
  const auto own = static_cast<unsigned>(__cvta_generic_to_shared(p));
  unsigned address;
  asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(address) : "r"(own));
  return address;
}

__device__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ void add(unsigned address, int value) {
  asm volatile("red.relaxed.cluster.shared::cluster.add.s32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}

__global__ void __cluster_dims__(4) buggy(int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  add(in_first_block(&sum), threadIdx.x);
  cluster_barrier();
  if (blockIdx.x == 0 && threadIdx.x == 0) *out = sum;
}

__global__ void __cluster_dims__(4) fixed(int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  cluster_barrier();
  add(in_first_block(&sum), threadIdx.x);
  cluster_barrier();
  if (blockIdx.x == 0 && threadIdx.x == 0) *out = sum;
}

int main(int argc, char** argv) {
  int* out;
  cudaMalloc(&out, sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<4, 32>>>(out);
  } else {
    fixed<<<4, 32>>>(out);
    expect(out, 1, [](int) { return 4 * 31 * 16; });
  }
  return finish();
}
