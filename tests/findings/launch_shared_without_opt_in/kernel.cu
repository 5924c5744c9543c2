// 64 KiB of dynamic shared memory need the kernel's opt-in.
#include "../case.h"

constexpr int kBytes = 64 * 1024;

__global__ void last_byte(char* out) {
  extern __shared__ char tile[];
  tile[kBytes - 1] = 7;
  out[0] = tile[kBytes - 1];
}

int main(int argc, char** argv) {
  char* out;
  cudaMalloc(&out, 1);
  if (!wants_bug(argc, argv)) {
    cudaFuncSetAttribute(last_byte, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  }
  last_byte<<<1, 1, kBytes>>>(out);
  return finish();
}
