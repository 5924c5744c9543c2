#include "numerics/special_function_forms.h"

#include <offgrid/emu/numerics/special_function.h>

namespace offgrid::emu::numerics {

#define OFFGRID_FORM(name) \
  float name(float x) { return inlined::name(x); }
OFFGRID_FORM(ex2_approx)
OFFGRID_FORM(ex2_approx_ftz)
OFFGRID_FORM(rcp_approx)
OFFGRID_FORM(rcp_approx_ftz)
OFFGRID_FORM(rsqrt_approx)
OFFGRID_FORM(rsqrt_approx_ftz)
OFFGRID_FORM(sqrt_approx)
OFFGRID_FORM(sqrt_approx_ftz)
OFFGRID_FORM(lg2_approx)
OFFGRID_FORM(lg2_approx_ftz)
OFFGRID_FORM(sin_approx)
OFFGRID_FORM(cos_approx)
OFFGRID_FORM(tanh_approx)
#undef OFFGRID_FORM
float sin_approx_ftz(float x) { return inlined::sin_approx(x); }
float cos_approx_ftz(float x) { return inlined::cos_approx(x); }

}  // namespace offgrid::emu::numerics
