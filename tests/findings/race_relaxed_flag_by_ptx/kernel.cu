// A block sees another one's flag, but not what was stored before it: the flag's store must release.
#include "../case.h"

__device__ void wait_for(const int* flag) {
  int value;
  do {
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  } while (value == 0);
}

__global__ void buggy(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;
    asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
  } else {
    wait_for(flag);
    *out = *data;
  }
}

__global__ void fixed(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;
    asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
  } else {
    wait_for(flag);
    *out = *data;
  }
}

int main(int argc, char** argv) {
  int *data, *flag, *out;
  cudaMalloc(&data, sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  if (wants_bug(argc, argv)) {
    buggy<<<2, 1>>>(data, flag, out);
  } else {
    fixed<<<2, 1>>>(data, flag, out);
    expect(out, 1, [](int) { return 42; });
  }
  return finish();
}
