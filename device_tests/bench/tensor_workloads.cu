#include <cuda_runtime.h>

#include <vector>

#include "tensor_workloads.h"

namespace offgrid::bench {
namespace {

constexpr int kThreads = 128;
constexpr unsigned kOnes = 0x3F803F80;  // bf16

/// d = 16 steps: each adds 16 to every element.
__global__ void warp_products(float* out, int steps) {
  float d[4] = {0, 0, 0, 0};
  for (int i = 0; i < steps; ++i) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(kOnes), "r"(kOnes), "r"(kOnes), "r"(kOnes), "r"(kOnes), "r"(kOnes));
  }
  out[blockIdx.x * kThreads + threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

__global__ void matrix_loads(unsigned* out, int steps) {
  __shared__ alignas(16) unsigned rows[4][32][4];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = 0; i < 4; ++i) rows[warp][lane][i] = lane * 4 + i;
  __syncwarp();
  const auto row = static_cast<unsigned>(__cvta_generic_to_shared(rows[warp][lane]));
  unsigned sum = 0;
  for (int i = 0; i < steps; ++i) {
    unsigned w[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                 : "r"(row)
                 : "memory");
    sum += w[0] + w[1] + w[2] + w[3];
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

template <class T>
std::vector<T> to_host(const T* device) {
  std::vector<T> host(WarpProducts::kBlocks * kThreads);
  cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

}  // namespace

WarpProducts::WarpProducts() { cudaMalloc(&out_, kBlocks * kThreads * sizeof(float)); }
WarpProducts::~WarpProducts() { cudaFree(out_); }
void WarpProducts::run() {
  warp_products<<<kBlocks, kThreads>>>(out_, kSteps);
  cudaDeviceSynchronize();
}
bool WarpProducts::correct() const {
  for (const float sum : to_host(out_)) {
    if (sum != 4.0f * 16 * kSteps) return false;
  }
  return true;
}

MatrixLoads::MatrixLoads() { cudaMalloc(&out_, WarpProducts::kBlocks * kThreads * sizeof(unsigned)); }
MatrixLoads::~MatrixLoads() { cudaFree(out_); }
void MatrixLoads::run() {
  matrix_loads<<<WarpProducts::kBlocks, kThreads>>>(out_, WarpProducts::kSteps);
  cudaDeviceSynchronize();
}
bool MatrixLoads::correct() const {
  const std::vector<unsigned> sums = to_host(out_);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const unsigned lane = i % 32;  // word lane of each of four matrices of 32 words
    if (sums[i] != WarpProducts::kSteps * (4 * lane + 32 * (0 + 1 + 2 + 3))) return false;
  }
  return true;
}

}  // namespace offgrid::bench
