// mma.sync in all shapes and types that are modelled.
#include <cuda_runtime.h>

#include "multiply_kernels.h"

namespace offgrid::emu::test {
namespace {

#define OUT2(d) "=r"(d[0]), "=r"(d[1])
#define OUT4(d) OUT2(d), "=r"(d[2]), "=r"(d[3])
#define IN1(x) "r"(x[0])
#define IN2(x) IN1(x), "r"(x[1])
#define IN4(x) IN2(x), "r"(x[2]), "r"(x[3])

// d, a, b and c of so many registers; the text lists them.
#define MULTIPLY(name, instruction, D, A, B, list)                                                           \
  __global__ void name(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) {               \
    a += A * threadIdx.x, b += B * threadIdx.x, c += D * threadIdx.x, d += D * threadIdx.x;                  \
    unsigned out[4];                                                                                         \
    asm volatile("mma.sync.aligned." instruction " " list ";" : OUT##D(out) : IN##A(a), IN##B(b), IN##D(c)); \
    for (int i = 0; i < D; ++i) d[i] = out[i];                                                               \
  }
#define LIST_4_4_2 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13}"
#define LIST_4_2_1 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10}"
#define LIST_2_4_2 "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9}"
#define LIST_2_2_1 "{%0, %1}, {%2, %3}, {%4}, {%5, %6}"
#define LIST_2_1_1 "{%0, %1}, {%2}, {%3}, {%4, %5}"

#define ALL_MULTIPLIES(X)                                           \
  X(f16_16, "m16n8k16.row.col.f32.f16.f16.f32", 4, 4, 2)            \
  X(bf16_16, "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 4, 2)         \
  X(half_16, "m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2)           \
  X(f16_8, "m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1)              \
  X(bf16_8, "m16n8k8.row.col.f32.bf16.bf16.f32", 4, 2, 1)           \
  X(half_8, "m16n8k8.row.col.f16.f16.f16.f16", 2, 2, 1)             \
  X(tf32_8, "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 4, 2)           \
  X(tf32_4, "m16n8k4.row.col.f32.tf32.tf32.f32", 4, 2, 1)           \
  X(e4m3, "m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 4, 2)            \
  X(e5m2, "m16n8k32.row.col.f32.e5m2.e5m2.f32", 4, 4, 2)            \
  X(e4m3_e5m2, "m16n8k32.row.col.f32.e4m3.e5m2.f32", 4, 4, 2)       \
  X(e5m2_e4m3, "m16n8k32.row.col.f32.e5m2.e4m3.f32", 4, 4, 2)       \
  X(s8, "m16n8k32.row.col.s32.s8.s8.s32", 4, 4, 2)                  \
  X(u8, "m16n8k32.row.col.s32.u8.u8.s32", 4, 4, 2)                  \
  X(s8_u8, "m16n8k32.row.col.s32.s8.u8.s32", 4, 4, 2)               \
  X(u8_s8, "m16n8k32.row.col.s32.u8.s8.s32", 4, 4, 2)               \
  X(s8_sat, "m16n8k32.row.col.satfinite.s32.s8.s8.s32", 4, 4, 2)    \
  X(s8_16, "m16n8k16.row.col.s32.s8.s8.s32", 4, 2, 1)               \
  X(u8_16_sat, "m16n8k16.row.col.satfinite.s32.u8.u8.s32", 4, 2, 1) \
  X(s8_small, "m8n8k16.row.col.s32.s8.s8.s32", 2, 1, 1)             \
  X(u8_small_sat, "m8n8k16.row.col.satfinite.s32.u8.u8.s32", 2, 1, 1)

#define DEFINE(name, instruction, D, A, B) MULTIPLY(name, instruction, D, A, B, LIST_##D##_##A##_##B)
ALL_MULTIPLIES(DEFINE)

__global__ void f64_4(const double* a, const double* b, const double* c, double* d) {
  const int t = threadIdx.x;
  double x, y;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=d"(x), "=d"(y)
               : "d"(a[t]), "d"(b[t]), "d"(c[2 * t]), "d"(c[2 * t + 1]));
  d[2 * t] = x;
  d[2 * t + 1] = y;
}

#define DOUBLES4(d) "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
#define DIN1(x) "d"(x[0])
#define DIN2(x) DIN1(x), "d"(x[1])
#define DIN4(x) DIN2(x), "d"(x[2]), "d"(x[3])
#define DIN8(x) DIN4(x), "d"(x[4]), "d"(x[5]), "d"(x[6]), "d"(x[7])
#define MULTIPLY_DOUBLES(name, shape, A, B, list)                                           \
  __global__ void name(const double* a, const double* b, const double* c, double* d) {      \
    a += A * threadIdx.x, b += B * threadIdx.x, c += 4 * threadIdx.x, d += 4 * threadIdx.x; \
    double out[4];                                                                          \
    asm volatile("mma.sync.aligned." shape ".row.col.f64.f64.f64.f64 " list ";"             \
                 : DOUBLES4(out)                                                            \
                 : DIN##A(a), DIN##B(b), DIN4(c));                                          \
    for (int i = 0; i < 4; ++i) d[i] = out[i];                                              \
  }
MULTIPLY_DOUBLES(f64_16_4, "m16n8k4", 2, 1, LIST_4_2_1)
MULTIPLY_DOUBLES(f64_16_8, "m16n8k8", 4, 2, LIST_4_4_2)
MULTIPLY_DOUBLES(f64_16_16, "m16n8k16", 8, 4,
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, %18, %19}")

__device__ float multiplied() {
  unsigned zero = 0, d[4];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%4}, {%4, %4, %4, %4};"
               : OUT4(d)
               : "r"(zero));
  return static_cast<float>(d[0]);
}
__device__ float multiplied_elsewhere() {
  unsigned zero = 0, d[4];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %4}, {%4}, {%4, %4, %4, %4};"
               : OUT4(d)
               : "r"(zero));
  return static_cast<float>(d[0]);
}
__global__ void divergent(bool other_has_mma, float* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = multiplied();
  } else if (other_has_mma) {
    out[threadIdx.x] = multiplied_elsewhere();
  }
}

}  // namespace

bool run_multiply(const std::string& name, const void* a, const void* b, const void* c, void* d) {
  const auto launch = [&](auto kernel, auto word) {
    using Word = decltype(word);
    kernel<<<1, 32>>>(static_cast<const Word*>(a), static_cast<const Word*>(b), static_cast<const Word*>(c),
                      static_cast<Word*>(d));
    return true;
  };
#define LAUNCH(kernel, instruction, D, A, B) \
  if (name == instruction) return launch(&kernel, 0u);
  ALL_MULTIPLIES(LAUNCH)
  const std::string doubles = ".row.col.f64.f64.f64.f64";
  if (name == "m8n8k4" + doubles) return launch(&f64_4, 0.0);
  if (name == "m16n8k4" + doubles) return launch(&f64_16_4, 0.0);
  if (name == "m16n8k8" + doubles) return launch(&f64_16_8, 0.0);
  if (name == "m16n8k16" + doubles) return launch(&f64_16_16, 0.0);
  return false;
}
void run_divergent_multiply(bool other_has_mma, float* out) { divergent<<<1, 32>>>(other_has_mma, out); }

}  // namespace offgrid::emu::test
