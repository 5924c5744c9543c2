// The matrix API of mma.h.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include "wmma_kernels.h"

namespace offgrid::emu::test {
namespace {

namespace wmma = nvcuda::wmma;

template <int M, int N, int K, class T, class Memory, class Sum, class LayoutA, class LayoutB>
__global__ void product(const Memory* a, const Memory* b, const Sum* c, Sum* d, int pitch_a, int pitch_b) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> x;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> y;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> z;
  wmma::load_matrix_sync(x, a, pitch_a);
  wmma::load_matrix_sync(y, b, pitch_b);
  wmma::load_matrix_sync(z, c, N, wmma::mem_row_major);
  wmma::mma_sync(z, x, y, z);
  wmma::store_matrix_sync(d, z, N, wmma::mem_row_major);
}

template <int M, int N, int K, class T, class Memory, class Sum>
bool launch(bool turned, const void* a, const void* b, const void* c, void* d) {
  const auto* x = static_cast<const Memory*>(a);
  const auto* y = static_cast<const Memory*>(b);
  if (turned) {
    product<M, N, K, T, Memory, Sum, wmma::col_major, wmma::row_major>
        <<<1, 32>>>(x, y, static_cast<const Sum*>(c), static_cast<Sum*>(d), M, N);
  } else {
    product<M, N, K, T, Memory, Sum, wmma::row_major, wmma::col_major>
        <<<1, 32>>>(x, y, static_cast<const Sum*>(c), static_cast<Sum*>(d), K, K);
  }
  return true;
}

__global__ void elements(float* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(a, __float2half(1.0f));
  wmma::fill_fragment(b, __float2half(3.0f));
  wmma::fill_fragment(c, 0.0f);
  for (int i = 0; i < a.num_elements; ++i) a.x[i] = __hadd(a.x[i], a.x[i]);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(out, c, 16, wmma::mem_col_major);
}

}  // namespace

bool run_wmma(const std::string& name, bool turned, const void* a, const void* b, const void* c, void* d) {
#define SHAPES(text, T, Sum)                                                              \
  if (name == "16x16x16 " text) return launch<16, 16, 16, T, T, Sum>(turned, a, b, c, d); \
  if (name == "32x8x16 " text) return launch<32, 8, 16, T, T, Sum>(turned, a, b, c, d);   \
  if (name == "8x32x16 " text) return launch<8, 32, 16, T, T, Sum>(turned, a, b, c, d);
  SHAPES("half float", __half, float)
  SHAPES("half half", __half, __half)
  SHAPES("bf16 float", __nv_bfloat16, float)
  SHAPES("s8 int", signed char, int)
  SHAPES("u8 int", unsigned char, int)
  if (name == "16x16x8 tf32 float") return launch<16, 16, 8, wmma::precision::tf32, float, float>(turned, a, b, c, d);
  if (name == "8x8x4 double double") return launch<8, 8, 4, double, double, double>(turned, a, b, c, d);
  return false;
}
void run_wmma_elements(float* out) { elements<<<1, 32>>>(out); }

}  // namespace offgrid::emu::test
