#pragma once
#include <offgrid/emu/device/index.h>
