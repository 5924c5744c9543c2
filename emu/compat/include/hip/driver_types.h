#pragma once
#include <offgrid/emu/host/hip_api.h>
