// A page number beyond the table fails the kernel's own assertion.
#include <cassert>

#include "../case.h"

__global__ void lookup(const int* table, int* out, int pages) {
  int page = table[threadIdx.x];
  assert(page < pages);
  out[threadIdx.x] = page;
}

int main(int argc, char** argv) {
  int *table, *out;
  cudaMalloc(&table, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  int host[32] = {};
  if (wants_bug(argc, argv)) host[5] = 9;
  cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice);
  lookup<<<1, 32>>>(table, out, 8);
  return finish();
}
