// A grid computed from an empty batch has no blocks.
#include "../case.h"

__global__ void nothing() {}

int main(int argc, char** argv) {
  const unsigned batch = 0;
  if (wants_bug(argc, argv) || batch != 0) nothing<<<batch, 64>>>();
  return finish();
}
