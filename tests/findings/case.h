/// What every planted bug shares: its program runs either the kernel with the bug or its repaired twin.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

/// True for `PROGRAM buggy`, false for `PROGRAM fixed`; anything else ends the program.
inline bool wants_bug(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "buggy") == 0) return true;
  if (argc == 2 && std::strcmp(argv[1], "fixed") == 0) return false;
  std::fprintf(stderr, "usage: %s buggy|fixed\n", argv[0]);
  std::exit(2);
}

/// Element i of device memory becomes value(i).
template <class T, class F>
void fill(T* device, int count, F value) {
  for (int i = 0; i < count; ++i) {
    const T element = static_cast<T>(value(i));
    cudaMemcpy(device + i, &element, sizeof element, cudaMemcpyHostToDevice);
  }
}

/// For twins: a program that computes something else than value(i) in element i fails.
template <class T, class F>
void expect(const T* device, int count, F value) {
  for (int i = 0; i < count; ++i) {
    T element;
    cudaMemcpy(&element, device + i, sizeof element, cudaMemcpyDeviceToHost);
    if (element == static_cast<T>(value(i))) continue;
    std::fprintf(stderr, "element %d is %g, not %g\n", i, static_cast<double>(element), static_cast<double>(value(i)));
    std::exit(3);
  }
}

/// Waits for the device. The status is 0 in any case: that a bug makes the program fail is the reporter's business.
inline int finish() {
  cudaDeviceSynchronize();
  return 0;
}
