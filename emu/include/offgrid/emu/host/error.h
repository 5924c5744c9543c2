/// cudaError_t, from the table.
#pragma once

#include <offgrid/emu/host/error_table.h>

enum cudaError : int {
#define OFFGRID_ROW(value, cuda, hip, text) cuda = value,
  OFFGRID_HOST_ERRORS(OFFGRID_ROW)
#undef OFFGRID_ROW
};
typedef enum cudaError cudaError_t;
