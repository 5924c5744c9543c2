// A wait for all groups does not wait for copies that are in no group. Read by ldmatrix, whose own line is told.
#include "../case.h"

__device__ unsigned shared_at(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void copy_row(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_at(to)), "l"(from) : "memory");
}
__device__ unsigned load_pair(const void* row) {
  unsigned pair;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(pair) : "r"(shared_at(row)) : "memory");
  return pair;
}

__global__ void buggy(const unsigned* x, unsigned* y) {
  __shared__ alignas(16) unsigned tile[8][4];
  const int t = threadIdx.x;
  if (t < 8) copy_row(tile[t], x + 4 * t);
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncwarp();
  y[t] = load_pair(tile[t % 8]);
}

__global__ void fixed(const unsigned* x, unsigned* y) {
  __shared__ alignas(16) unsigned tile[8][4];
  const int t = threadIdx.x;
  if (t < 8) copy_row(tile[t], x + 4 * t);
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncwarp();
  y[t] = load_pair(tile[t % 8]);
}

int main(int argc, char** argv) {
  unsigned *x, *y;
  cudaMalloc(&x, 32 * sizeof(unsigned));
  cudaMalloc(&y, 32 * sizeof(unsigned));
  fill(x, 32, [](int i) { return 3 * i; });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(x, y);
  } else {
    fixed<<<1, 32>>>(x, y);
    expect(y, 32, [](int i) { return 3 * i; });
  }
  return finish();
}
