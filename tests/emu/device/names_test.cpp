/// Every name of CUDA's and HIP's that these headers promise is declared at global scope: a missing one does not
/// compile. The list is that of the toolkit's math_functions.h, device_functions.h, device_double_functions.h and
/// sm_*_intrinsics.h less what needs other lanes.
#include <cuComplex.h>
#include <math_constants.h>
#include <offgrid/emu/device/arithmetic.h>

#include "catch.h"
#if defined(__HIP_PLATFORM_AMD__)
#include <hip/hip_math_constants.h>
#endif

namespace promised {
using ::__brev, ::__brevll, ::__byte_perm, ::__clz, ::__clzll, ::__cosf, ::__dadd_rd, ::__dadd_rn, ::__dadd_ru,
    ::__dadd_rz, ::__ddiv_rd, ::__ddiv_rn, ::__ddiv_ru, ::__ddiv_rz, ::__dmul_rd, ::__dmul_rn, ::__dmul_ru, ::__dmul_rz,
    ::__double2float_rd, ::__double2float_rn, ::__double2float_ru, ::__double2float_rz, ::__double2hiint,
    ::__double2int_rd, ::__double2int_rn, ::__double2int_ru, ::__double2int_rz, ::__double2ll_rd, ::__double2ll_rn,
    ::__double2ll_ru, ::__double2ll_rz, ::__double2loint, ::__double2uint_rd, ::__double2uint_rn, ::__double2uint_ru,
    ::__double2uint_rz, ::__double2ull_rd, ::__double2ull_rn, ::__double2ull_ru, ::__double2ull_rz,
    ::__double_as_longlong, ::__dp2a_hi, ::__dp2a_lo, ::__dp4a, ::__drcp_rd, ::__drcp_rn, ::__drcp_ru, ::__drcp_rz,
    ::__dsqrt_rd, ::__dsqrt_rn, ::__dsqrt_ru, ::__dsqrt_rz, ::__dsub_rd, ::__dsub_rn, ::__dsub_ru, ::__dsub_rz,
    ::__exp10f, ::__expf, ::__fadd2_rd, ::__fadd2_rn, ::__fadd2_ru, ::__fadd2_rz, ::__fadd_rd, ::__fadd_rn, ::__fadd_ru,
    ::__fadd_rz, ::__fdiv_rd, ::__fdiv_rn, ::__fdiv_ru, ::__fdiv_rz, ::__fdividef, ::__ffma2_rd, ::__ffma2_rn,
    ::__ffma2_ru, ::__ffma2_rz, ::__ffs, ::__ffsll, ::__float2int_rd, ::__float2int_rn, ::__float2int_ru,
    ::__float2int_rz, ::__float2ll_rd, ::__float2ll_rn, ::__float2ll_ru, ::__float2ll_rz, ::__float2uint_rd,
    ::__float2uint_rn, ::__float2uint_ru, ::__float2uint_rz, ::__float2ull_rd, ::__float2ull_rn, ::__float2ull_ru,
    ::__float2ull_rz, ::__float_as_int, ::__float_as_uint, ::__fma_rd, ::__fma_rn, ::__fma_ru, ::__fma_rz,
    ::__fmaf_ieee_rd, ::__fmaf_ieee_rn, ::__fmaf_ieee_ru, ::__fmaf_ieee_rz, ::__fmaf_rd, ::__fmaf_rn, ::__fmaf_ru,
    ::__fmaf_rz, ::__fmul2_rd, ::__fmul2_rn, ::__fmul2_ru, ::__fmul2_rz, ::__fmul_rd, ::__fmul_rn, ::__fmul_ru,
    ::__fmul_rz, ::__fns, ::__frcp_rd, ::__frcp_rn, ::__frcp_ru, ::__frcp_rz, ::__frsqrt_rn, ::__fsqrt_rd, ::__fsqrt_rn,
    ::__fsqrt_ru, ::__fsqrt_rz, ::__fsub_rd, ::__fsub_rn, ::__fsub_ru, ::__fsub_rz, ::__funnelshift_l,
    ::__funnelshift_lc, ::__funnelshift_r, ::__funnelshift_rc, ::__hadd, ::__hiloint2double, ::__int2double_rn,
    ::__int2float_rd, ::__int2float_rn, ::__int2float_ru, ::__int2float_rz, ::__int_as_float, ::__ldca, ::__ldcg,
    ::__ldcs, ::__ldcv, ::__ldg, ::__ldlu, ::__ll2double_rd, ::__ll2double_rn, ::__ll2double_ru, ::__ll2double_rz,
    ::__ll2float_rd, ::__ll2float_rn, ::__ll2float_ru, ::__ll2float_rz, ::__log10f, ::__log2f, ::__logf,
    ::__longlong_as_double, ::__mul24, ::__mul64hi, ::__mulhi, ::__nv_bswap16, ::__nv_bswap32, ::__nv_bswap64, ::__popc,
    ::__popcll, ::__powf, ::__prefetch_global_l1, ::__prefetch_global_uniform, ::__rhadd, ::__sad, ::__saturatef,
    ::__sincosf, ::__sinf, ::__stcg, ::__stcs, ::__stwb, ::__stwt, ::__tanf, ::__tanhf, ::__uhadd, ::__uint2double_rn,
    ::__uint2float_rd, ::__uint2float_rn, ::__uint2float_ru, ::__uint2float_rz, ::__uint_as_float, ::__ull2double_rd,
    ::__ull2double_rn, ::__ull2double_ru, ::__ull2double_rz, ::__ull2float_rd, ::__ull2float_rn, ::__ull2float_ru,
    ::__ull2float_rz, ::__umul24, ::__umul64hi, ::__umulhi, ::__urhadd, ::__usad, ::__vabs2, ::__vabs4, ::__vabsdiffs2,
    ::__vabsdiffs4, ::__vabsdiffu2, ::__vabsdiffu4, ::__vabsss2, ::__vabsss4, ::__vadd2, ::__vadd4, ::__vaddss2,
    ::__vaddss4, ::__vaddus2, ::__vaddus4, ::__vavgs2, ::__vavgs4, ::__vavgu2, ::__vavgu4, ::__vcmpeq2, ::__vcmpeq4,
    ::__vcmpges2, ::__vcmpges4, ::__vcmpgeu2, ::__vcmpgeu4, ::__vcmpgts2, ::__vcmpgts4, ::__vcmpgtu2, ::__vcmpgtu4,
    ::__vcmples2, ::__vcmples4, ::__vcmpleu2, ::__vcmpleu4, ::__vcmplts2, ::__vcmplts4, ::__vcmpltu2, ::__vcmpltu4,
    ::__vcmpne2, ::__vcmpne4, ::__vhaddu2, ::__vhaddu4, ::__viaddmax_s16x2, ::__viaddmax_s16x2_relu, ::__viaddmax_s32,
    ::__viaddmax_s32_relu, ::__viaddmax_u16x2, ::__viaddmax_u32, ::__viaddmin_s16x2, ::__viaddmin_s16x2_relu,
    ::__viaddmin_s32, ::__viaddmin_s32_relu, ::__viaddmin_u16x2, ::__viaddmin_u32, ::__vibmax_s16x2, ::__vibmax_s32,
    ::__vibmax_u16x2, ::__vibmax_u32, ::__vibmin_s16x2, ::__vibmin_s32, ::__vibmin_u16x2, ::__vibmin_u32,
    ::__vimax3_s16x2, ::__vimax3_s16x2_relu, ::__vimax3_s32, ::__vimax3_s32_relu, ::__vimax3_u16x2, ::__vimax3_u32,
    ::__vimax_s16x2_relu, ::__vimax_s32_relu, ::__vimin3_s16x2, ::__vimin3_s16x2_relu, ::__vimin3_s32,
    ::__vimin3_s32_relu, ::__vimin3_u16x2, ::__vimin3_u32, ::__vimin_s16x2_relu, ::__vimin_s32_relu, ::__vmaxs2,
    ::__vmaxs4, ::__vmaxu2, ::__vmaxu4, ::__vmins2, ::__vmins4, ::__vminu2, ::__vminu4, ::__vneg2, ::__vneg4,
    ::__vnegss2, ::__vnegss4, ::__vsads2, ::__vsads4, ::__vsadu2, ::__vsadu4, ::__vseteq2, ::__vseteq4, ::__vsetges2,
    ::__vsetges4, ::__vsetgeu2, ::__vsetgeu4, ::__vsetgts2, ::__vsetgts4, ::__vsetgtu2, ::__vsetgtu4, ::__vsetles2,
    ::__vsetles4, ::__vsetleu2, ::__vsetleu4, ::__vsetlts2, ::__vsetlts4, ::__vsetltu2, ::__vsetltu4, ::__vsetne2,
    ::__vsetne4, ::__vsub2, ::__vsub4, ::__vsubss2, ::__vsubss4, ::__vsubus2, ::__vsubus4, ::abs, ::acos, ::acosf,
    ::acosh, ::acoshf, ::asin, ::asinf, ::asinh, ::asinhf, ::atan, ::atan2, ::atan2f, ::atanf, ::atanh, ::atanhf,
    ::cbrt, ::cbrtf, ::ceil, ::ceilf, ::copysign, ::copysignf, ::cos, ::cosf, ::cosh, ::coshf, ::cospi, ::cospif,
    ::cyl_bessel_i0, ::cyl_bessel_i0f, ::cyl_bessel_i1, ::cyl_bessel_i1f, ::erf, ::erfc, ::erfcf, ::erfcinv, ::erfcinvf,
    ::erfcx, ::erfcxf, ::erff, ::erfinv, ::erfinvf, ::exp, ::exp10, ::exp10f, ::exp2, ::exp2f, ::expf, ::expm1,
    ::expm1f, ::fabs, ::fabsf, ::fdim, ::fdimf, ::fdivide, ::fdividef, ::floor, ::floorf, ::fma, ::fmaf, ::fmax,
    ::fmaxf, ::fmin, ::fminf, ::fmod, ::fmodf, ::frexp, ::frexpf, ::hypot, ::hypotf, ::ilogb, ::ilogbf, ::isfinite,
    ::isinf, ::isnan, ::j0, ::j0f, ::j1, ::j1f, ::jn, ::jnf, ::labs, ::ldexp, ::ldexpf, ::lgamma, ::lgammaf, ::llabs,
    ::llmax, ::llmin, ::llrint, ::llrintf, ::llround, ::llroundf, ::log, ::log10, ::log10f, ::log1p, ::log1pf, ::log2,
    ::log2f, ::logb, ::logbf, ::logf, ::lrint, ::lrintf, ::lround, ::lroundf, ::max, ::min, ::modf, ::modff, ::nan,
    ::nanf, ::nearbyint, ::nearbyintf, ::nextafter, ::nextafterf, ::norm, ::norm3d, ::norm3df, ::norm4d, ::norm4df,
    ::normcdf, ::normcdff, ::normcdfinv, ::normcdfinvf, ::normf, ::pow, ::powf, ::powi, ::powif, ::rcbrt, ::rcbrtf,
    ::remainder, ::remainderf, ::remquo, ::remquof, ::rhypot, ::rhypotf, ::rint, ::rintf, ::rnorm, ::rnorm3d,
    ::rnorm3df, ::rnorm4d, ::rnorm4df, ::rnormf, ::round, ::roundf, ::rsqrt, ::rsqrtf, ::scalbln, ::scalblnf, ::scalbn,
    ::scalbnf, ::signbit, ::sin, ::sincos, ::sincosf, ::sincospi, ::sincospif, ::sinf, ::sinh, ::sinhf, ::sinpi,
    ::sinpif, ::sqrt, ::sqrtf, ::tan, ::tanf, ::tanh, ::tanhf, ::tgamma, ::tgammaf, ::trunc, ::truncf, ::ullmax,
    ::ullmin, ::umax, ::umin, ::y0, ::y0f, ::y1, ::y1f, ::yn, ::ynf;
using ::char1, ::char2, ::char3, ::char4, ::double1, ::double2, ::double3, ::double4, ::double4_16a, ::double4_32a,
    ::float1, ::float2, ::float3, ::float4, ::int1, ::int2, ::int3, ::int4, ::long1, ::long2, ::long3, ::long4,
    ::long4_16a, ::long4_32a, ::longlong1, ::longlong2, ::longlong3, ::longlong4, ::longlong4_16a, ::longlong4_32a,
    ::make_char1, ::make_char2, ::make_char3, ::make_char4, ::make_double1, ::make_double2, ::make_double3,
    ::make_double4, ::make_double4_16a, ::make_double4_32a, ::make_float1, ::make_float2, ::make_float3, ::make_float4,
    ::make_int1, ::make_int2, ::make_int3, ::make_int4, ::make_long1, ::make_long2, ::make_long3, ::make_long4,
    ::make_long4_16a, ::make_long4_32a, ::make_longlong1, ::make_longlong2, ::make_longlong3, ::make_longlong4,
    ::make_longlong4_16a, ::make_longlong4_32a, ::make_short1, ::make_short2, ::make_short3, ::make_short4,
    ::make_uchar1, ::make_uchar2, ::make_uchar3, ::make_uchar4, ::make_uint1, ::make_uint2, ::make_uint3, ::make_uint4,
    ::make_ulong1, ::make_ulong2, ::make_ulong3, ::make_ulong4, ::make_ulong4_16a, ::make_ulong4_32a, ::make_ulonglong1,
    ::make_ulonglong2, ::make_ulonglong3, ::make_ulonglong4, ::make_ulonglong4_16a, ::make_ulonglong4_32a,
    ::make_ushort1, ::make_ushort2, ::make_ushort3, ::make_ushort4, ::short1, ::short2, ::short3, ::short4, ::uchar1,
    ::uchar2, ::uchar3, ::uchar4, ::uint1, ::uint2, ::uint3, ::uint4, ::ulong1, ::ulong2, ::ulong3, ::ulong4,
    ::ulong4_16a, ::ulong4_32a, ::ulonglong1, ::ulonglong2, ::ulonglong3, ::ulonglong4, ::ulonglong4_16a,
    ::ulonglong4_32a, ::ushort1, ::ushort2, ::ushort3, ::ushort4;
using ::cuCabs, ::cuCabsf, ::cuCadd, ::cuCaddf, ::cuCdiv, ::cuCdivf, ::cuCfma, ::cuCfmaf, ::cuCimag, ::cuCimagf,
    ::cuCmul, ::cuCmulf, ::cuComplex, ::cuComplexDoubleToFloat, ::cuComplexFloatToDouble, ::cuConj, ::cuConjf,
    ::cuCreal, ::cuCrealf, ::cuCsub, ::cuCsubf, ::cuDoubleComplex, ::cuFloatComplex, ::make_cuComplex,
    ::make_cuDoubleComplex, ::make_cuFloatComplex;
using ::hipCabs, ::hipCabsf, ::hipCadd, ::hipCaddf, ::hipCdiv, ::hipCdivf, ::hipCfma, ::hipCfmaf, ::hipCimag,
    ::hipCimagf, ::hipCmul, ::hipCmulf, ::hipComplex, ::hipComplexDoubleToFloat, ::hipComplexFloatToDouble, ::hipConj,
    ::hipConjf, ::hipCreal, ::hipCrealf, ::hipCsqabs, ::hipCsqabsf, ::hipCsub, ::hipCsubf, ::hipDoubleComplex,
    ::hipFloatComplex, ::make_hipComplex, ::make_hipDoubleComplex, ::make_hipFloatComplex;
#if defined(__HIP_PLATFORM_AMD__)
using ::__bitextract_u32, ::__bitextract_u64, ::__bitinsert_u32, ::__bitinsert_u64, ::__builtin_amdgcn_alignbit,
    ::__builtin_amdgcn_alignbyte, ::__builtin_amdgcn_cosf, ::__builtin_amdgcn_cvt_pkrtz, ::__builtin_amdgcn_exp2f,
    ::__builtin_amdgcn_fdot2, ::__builtin_amdgcn_fmed3f, ::__builtin_amdgcn_fractf, ::__builtin_amdgcn_ldexpf,
    ::__builtin_amdgcn_logf, ::__builtin_amdgcn_mul_u24, ::__builtin_amdgcn_perm, ::__builtin_amdgcn_rcp,
    ::__builtin_amdgcn_rcpf, ::__builtin_amdgcn_rsq, ::__builtin_amdgcn_rsqf, ::__builtin_amdgcn_sad_u16,
    ::__builtin_amdgcn_sad_u8, ::__builtin_amdgcn_sbfe, ::__builtin_amdgcn_sdot2, ::__builtin_amdgcn_sdot4,
    ::__builtin_amdgcn_sdot8, ::__builtin_amdgcn_sinf, ::__builtin_amdgcn_sqrt, ::__builtin_amdgcn_sqrtf,
    ::__builtin_amdgcn_ubfe, ::__builtin_amdgcn_udot2, ::__builtin_amdgcn_udot4, ::__builtin_amdgcn_udot8,
    ::__lastbit_u32_u32, ::__lastbit_u32_u64;
#endif
}  // namespace promised

TEST_CASE("Names.PromisedNamesAreTheGlobalOnes") {
  REQUIRE(promised::__popc(7u) == __popc(7u));
  REQUIRE(promised::make_float4(1, 2, 3, 4).w == 4.0f);
  REQUIRE(std::isinf(CUDART_INF_F));
#if defined(__HIP_PLATFORM_AMD__)
  REQUIRE(HIP_PI_F == CUDART_PI_F);
#endif
}
