// A running softmax over rows with masked beginnings and one that is masked as a whole: the maximum is -inf there, and
// -inf minus itself is no number.
#include "../case.h"

__global__ void buggy(const float* s, float* o, int rows, int cols) {
  const int row = threadIdx.x + blockIdx.x * blockDim.x;
  if (row >= rows) return;
  float top = -INFINITY, norm = 0, sum = 0;
  for (int col = 0; col < cols; ++col) {
    const float score = s[row * cols + col], next = fmaxf(top, score);
    const float keep = expf(top - next);
    const float weight = expf(score - next);
    norm = norm * keep + weight;
    sum = sum * keep + weight * (col + 1);
    top = next;
  }
  o[row] = sum / norm;
}

__global__ void fixed(const float* s, float* o, int rows, int cols) {
  const int row = threadIdx.x + blockIdx.x * blockDim.x;
  if (row >= rows) return;
  float top = -INFINITY, norm = 0, sum = 0;
  for (int col = 0; col < cols; ++col) {
    const float score = s[row * cols + col], next = fmaxf(top, score);
    const float base = next == -INFINITY ? 0 : next;
    const float keep = expf(top - base);
    const float weight = expf(score - base);
    norm = norm * keep + weight;
    sum = sum * keep + weight * (col + 1);
    top = next;
  }
  o[row] = norm > 0 ? sum / norm : 0;
}

int main(int argc, char** argv) {
  const int rows = 4, cols = 16;
  float *s, *o, result[rows];
  cudaMalloc(&s, rows * cols * sizeof(float));
  cudaMalloc(&o, rows * sizeof(float));
  fill(s, rows * cols, [](int i) {
    const int row = i / 16, col = i % 16;
    return row == 2 || col < row ? -INFINITY : 0.5f * ((5 * row + 3 * col) % 7);
  });
  if (wants_bug(argc, argv)) {
    buggy<<<1, 32>>>(s, o, rows, cols);
  } else {
    fixed<<<1, 32>>>(s, o, rows, cols);
  }
  cudaMemcpy(result, o, sizeof result, cudaMemcpyDeviceToHost);
  return finish();
}
