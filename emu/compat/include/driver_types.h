#pragma once
#include <offgrid/emu/host/device_prop.h>
