/// A NaN that a kernel made is reported when it reaches memory that the host sees.
#pragma once

#include <cstddef>
#include <cstdint>

namespace offgrid::emu {

/// The host is about to read these bytes of device memory: reports each NaN in them that a kernel made, once for the
/// line that made it.
void nan_check_copied_out(const void* from, std::size_t bytes);

/// The same for all memory that the host can read without a copy; for the end of a launch.
void nan_check_host_visible();

}  // namespace offgrid::emu
