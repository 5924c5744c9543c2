/// What every .cu file gets: the device side, the host API, and the C headers that programs rely on nvcc to bring in.
#pragma once

#include <offgrid/emu/device/device.h>
#include <offgrid/emu/host/runtime_api.h>
#include <offgrid/emu/kernel_entry.h>
#include <offgrid/emu/shared_variable.h>
#include <offgrid/emu/variable_type.h>

#include <cassert>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>
