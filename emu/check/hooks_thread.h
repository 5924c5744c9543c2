/// What the two files of g++'s hooks share.
#pragma once

#include "check/access.h"

namespace offgrid::emu::check {

inline std::uintptr_t address_of(const volatile void* p) { return reinterpret_cast<std::uintptr_t>(p); }

/// g++ follows no value from a load to its use, so the load itself is what can be reported, and only if nobody has
/// written any of its bytes: wider loads and copies may well bring along a tail that is not looked at. `shadow` is the
/// access's.
void check_written(const Access& access, const unsigned char* shadow);

}  // namespace offgrid::emu::check
