#pragma once
#include <offgrid/emu/host/runtime_api.h>
