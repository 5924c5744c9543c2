// An input that was declared read-only for the launches is written by a kernel that works in place.
#include <offgrid/emu/memory.h>

#include "../case.h"

__global__ void buggy(int* in, int* out) {
  int t = threadIdx.x;
  in[t] += 1;
  out[t] = in[t];
}

__global__ void fixed(int* in, int* out) {
  int t = threadIdx.x;
  out[t] = in[t] + 1;
}

int main(int argc, char** argv) {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  offgrid::emu::DeviceMemory::instance().describe(in, "in", {"int", sizeof(int), {{"tokens", 32}}});
  offgrid::emu::DeviceMemory::instance().set_read_only(in, true);
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(in, out);
  } else {
    fixed<<<1, 32>>>(in, out);
  }
  return finish();
}
