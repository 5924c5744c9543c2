// The same memory is freed twice.
#include "../case.h"

int main(int argc, char** argv) {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaFree(x);
  if (wants_bug(argc, argv)) cudaFree(x);
  return finish();
}
