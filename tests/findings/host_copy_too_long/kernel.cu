// The copy counts bytes of doubles, the allocation those of floats.
#include "../case.h"

int main(int argc, char** argv) {
  float* x;
  double host[32] = {};
  cudaMalloc(&x, 32 * sizeof(float));
  const std::size_t bytes = wants_bug(argc, argv) ? 32 * sizeof(double) : 32 * sizeof(float);
  cudaMemcpy(x, host, bytes, cudaMemcpyHostToDevice);
  return finish();
}
