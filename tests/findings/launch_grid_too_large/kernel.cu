// Blocks are counted in y, where a grid holds 65535.
#include "../case.h"

__global__ void nothing() {}

int main(int argc, char** argv) {
  if (wants_bug(argc, argv)) {
    nothing<<<dim3(1, 70000), 1>>>();
  } else {
    nothing<<<dim3(70000, 1), 1>>>();
  }
  return finish();
}
