// Special functions bit for bit; see special_table.inc.
#include "probes/device.cuh"

namespace offgrid::probes {
namespace {

#define OFFGRID_UNIT(name, instruction)             \
  __device__ inline float name(float x) {           \
    float r;                                        \
    asm(instruction " %0, %1;" : "=f"(r) : "f"(x)); \
    return r;                                       \
  }
OFFGRID_UNIT(unit_ex2_approx_ftz_f32, "ex2.approx.ftz.f32")
OFFGRID_UNIT(unit_ex2_approx_f32, "ex2.approx.f32")
OFFGRID_UNIT(unit_rcp_approx_ftz_f32, "rcp.approx.ftz.f32")
OFFGRID_UNIT(unit_rcp_approx_f32, "rcp.approx.f32")
OFFGRID_UNIT(unit_rsqrt_approx_ftz_f32, "rsqrt.approx.ftz.f32")
OFFGRID_UNIT(unit_rsqrt_approx_f32, "rsqrt.approx.f32")
OFFGRID_UNIT(unit_sqrt_approx_ftz_f32, "sqrt.approx.ftz.f32")
OFFGRID_UNIT(unit_sqrt_approx_f32, "sqrt.approx.f32")
OFFGRID_UNIT(unit_lg2_approx_ftz_f32, "lg2.approx.ftz.f32")
OFFGRID_UNIT(unit_lg2_approx_f32, "lg2.approx.f32")
OFFGRID_UNIT(unit_sin_approx_ftz_f32, "sin.approx.ftz.f32")
OFFGRID_UNIT(unit_sin_approx_f32, "sin.approx.f32")
OFFGRID_UNIT(unit_cos_approx_ftz_f32, "cos.approx.ftz.f32")
OFFGRID_UNIT(unit_cos_approx_f32, "cos.approx.f32")
OFFGRID_UNIT(unit_tanh_approx_f32, "tanh.approx.f32")

__device__ inline float full_quotient(float x, float y) {
  float r;
  asm("div.full.f32 %0, %1, %2;" : "=f"(r) : "f"(x), "f"(y));
  return r;
}
__device__ inline float by_library(double result) { return static_cast<float>(result); }

constexpr int kLogBlock = 20, kThreads = 128, kBlocks = 64;

/// Mixes a result with its operand, so that neither a constant error nor two that cancel give the right sum.
__device__ inline unsigned mixed(unsigned result, unsigned operand) {
  unsigned v = result + (operand & 0x1ffffu) * 0x9e3779b1u;
  v = (v ^ v >> 16) * 0x85ebca6bu;
  v = (v ^ v >> 13) * 0xc2b2ae35u;
  return v ^ v >> 16;
}

__global__ void clear_sum(unsigned* out) { *out = 0; }

/// out: [1], the sum over operands first, first + 1, ..., first + 2^20 - 1
template <class Function>
__global__ void sum_kernel(unsigned first, unsigned* out) {
  unsigned sum = 0;
  for (unsigned i = blockIdx.x * kThreads + threadIdx.x; i < 1u << kLogBlock; i += kBlocks * kThreads) {
    sum += mixed(bits(Function::run(f32(first + i))), first + i);
  }
  atomicAdd(out, sum);
}

#define OFFGRID_SPECIAL(Function, name, real, naive, block, sum) \
  struct Function {                                              \
    __device__ static float run(float x) {                       \
      [[maybe_unused]] const double t = static_cast<double>(x);  \
      return OFFGRID_OR_NAIVE(real, naive);                      \
    }                                                            \
  };
#include "probes/special_table.inc"
#undef OFFGRID_SPECIAL

template <class Function>
Probe special_probe(const char* name, unsigned block, std::uint32_t sum) {
  return {std::string(name) + "(2^20_operands)",
          "u32",
          {0},
          1,
          [block](const unsigned*, unsigned* out) {
            clear_sum<<<1, 1>>>(out);
            sum_kernel<Function><<<kBlocks, kThreads>>>(block << kLogBlock, out);
          },
          [sum] { return Words{sum}; }};
}

}  // namespace

void add_special_probes(std::vector<Probe>& to) {
#define OFFGRID_SPECIAL(Function, name, real, naive, block, sum) \
  to.push_back(special_probe<Function>(name, block, sum));
#include "probes/special_table.inc"
#undef OFFGRID_SPECIAL
}

}  // namespace offgrid::probes
