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

/// Waits for the device. The status is 0 in any case: that a bug makes the program fail is the reporter's business.
inline int finish() {
  cudaDeviceSynchronize();
  return 0;
}
