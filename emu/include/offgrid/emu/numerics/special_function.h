/// The special-function instructions of PTX, bit for bit as an H200 gives them: ex2.approx.f32 and its kin.
///
/// Names are the instructions'. `_ftz` forms take subnormal operands as zeros and give zeros for subnormal results; the
/// forms of sin, cos and tanh agree with and without it. A NaN result is 0x7fffffff.
/// Source: README.md of emu/numerics; all 2^32 operands of each are compared with stored results.
#pragma once

namespace offgrid::emu::numerics {

float ex2_approx(float x);
float ex2_approx_ftz(float x);
float rcp_approx(float x);
float rcp_approx_ftz(float x);
float rsqrt_approx(float x);
float rsqrt_approx_ftz(float x);
float sqrt_approx(float x);
float sqrt_approx_ftz(float x);
float lg2_approx(float x);
float lg2_approx_ftz(float x);
float sin_approx(float x);
float sin_approx_ftz(float x);
float cos_approx(float x);
float cos_approx_ftz(float x);
float tanh_approx(float x);

}  // namespace offgrid::emu::numerics
