// Row times stride does not fit into 32 bits for the last two of four rows; the buffer is a window into a larger
// matrix.
#include "../case.h"

__global__ void buggy(const unsigned char* win, unsigned char* out, int row0, int stride, int cols) {
  const long long origin = static_cast<long long>(row0) * stride;
  const int row = row0 + static_cast<int>(blockIdx.x);
  const int off = row * stride;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const unsigned char value = win[off + c - origin];
    out[blockIdx.x * cols + c] = value;
  }
}

__global__ void fixed(const unsigned char* win, unsigned char* out, int row0, int stride, int cols) {
  const long long origin = static_cast<long long>(row0) * stride;
  const int row = row0 + static_cast<int>(blockIdx.x);
  const long long off = static_cast<long long>(row) * stride;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const unsigned char value = win[off + c - origin];
    out[blockIdx.x * cols + c] = value;
  }
}

int main(int argc, char** argv) {
  const int row0 = 32766, stride = 65536, cols = 128;
  unsigned char *win, *out;
  cudaMalloc(&win, 4 * stride);
  cudaMalloc(&out, 4 * cols);
  cudaMemset(win, 7, 4 * stride);
  if (wants_bug(argc, argv)) {
    buggy<<<4, 64>>>(win, out, row0, stride, cols);
  } else {
    fixed<<<4, 64>>>(win, out, row0, stride, cols);
    expect(out, 4 * cols, [](int) { return 7; });
  }
  return finish();
}
