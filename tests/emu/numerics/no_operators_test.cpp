/// CUDA's switches that take operators and conversions away, for sources that bring their own (PyTorch's are built so).
#define __CUDA_NO_HALF_OPERATORS__
#define __CUDA_NO_HALF2_OPERATORS__
#define __CUDA_NO_HALF_CONVERSIONS__
#define __CUDA_NO_BFLOAT16_OPERATORS__
#define __CUDA_NO_BFLOAT162_OPERATORS__
#define __CUDA_NO_BFLOAT16_CONVERSIONS__
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include "catch.h"

static_assert(!std::is_convertible_v<__half, float> && !std::is_convertible_v<float, __half>);
static_assert(!std::is_convertible_v<__nv_bfloat16, float> && !std::is_convertible_v<float, __nv_bfloat16>);

namespace own {
struct Sum {
  int operands;
};
}  // namespace own
// A source's own operator is the only one.
static own::Sum operator+(__half, __half) { return {2}; }

TEST_CASE("CudaFp16.SwitchesLeaveRoomForOwnOperators") {
  const __half one = __float2half(1.0f);
  CHECK((one + one).operands == 2);
  CHECK(__half2float(__hadd(one, one)) == 2.0f);
  CHECK(__bfloat162float(__hmul(__float2bfloat16(3.0f), __float2bfloat16(2.0f))) == 6.0f);
}
