/// cudaMemcpyKind and the other enumerations, cudaHostAllocMapped and the other flags. The enumerations' type is fixed,
/// so that a value that is not in the table can be refused.
#pragma once

#include <offgrid/emu/host/constants_table.h>

#define OFFGRID_ROW(name, value) cuda##name = value,
#define OFFGRID_ENUM(name) enum cuda##name : int{OFFGRID_ENUM_##name(OFFGRID_ROW)};
OFFGRID_ENUMS(OFFGRID_ENUM)
#undef OFFGRID_ENUM
#undef OFFGRID_ROW

#define OFFGRID_ROW(name, value) inline constexpr auto cuda##name = value;
OFFGRID_FLAGS(OFFGRID_ROW)
#undef OFFGRID_ROW
