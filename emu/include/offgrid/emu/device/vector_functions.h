/// make_float4 and its kin stand beside their types; this name exists for sources that include it.
#pragma once

#include <offgrid/emu/device/vector_types.h>
