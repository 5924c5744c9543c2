/// What a `__device__` or `__constant__` variable holds, for reports. The rewriter lists them in checked mode.
#pragma once

#include <offgrid/emu/element_type.h>

namespace offgrid::emu {

/// One entry of the section "offgrid_variables".
struct VariableType {
  const volatile void* address;
  const ElementType* type;
};

}  // namespace offgrid::emu
