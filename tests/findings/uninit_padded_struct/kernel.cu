// Particles are copied as a whole, with the padding behind `cell`. That nobody writes the padding is no bug; that
// nobody writes the last two particles is.
#include "../case.h"

struct Particle {
  double x;
  int cell;
};

__global__ void place(Particle* p, int particles) {
  const int t = threadIdx.x;
  if (t >= particles) return;
  p[t].x = t;
  p[t].cell = 1;
}

__global__ void move(const Particle* p, Particle* moved) {
  Particle here = p[threadIdx.x];
  ++here.cell;
  moved[threadIdx.x] = here;
}

__global__ void move_in_place(Particle* p) {
  Particle here = p[threadIdx.x];
  ++here.cell;
  p[threadIdx.x] = here;
}

int main(int argc, char** argv) {
  Particle *p, *moved, result[32];
  cudaMalloc(&p, sizeof result);
  cudaMalloc(&moved, sizeof result);
  place<<<1, 32>>>(p, wants_bug(argc, argv) ? 30 : 32);
  move<<<1, 32>>>(p, moved);
  if (!wants_bug(argc, argv)) move_in_place<<<1, 32>>>(moved);
  cudaMemcpy(result, moved, sizeof result, cudaMemcpyDeviceToHost);
  return finish();
}
