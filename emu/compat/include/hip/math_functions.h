/// A name that HIP sources include for math functions.
#pragma once

#include <offgrid/emu/device/arithmetic.h>
