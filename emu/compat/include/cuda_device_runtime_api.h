/// Launches from inside kernels are reported as unsupported when they are executed; the names are the host's.
#pragma once
#include <offgrid/emu/host/runtime_api.h>
