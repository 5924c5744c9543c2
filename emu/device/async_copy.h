/// Asynchronous copies, as the interpreter of PTX starts them.
#pragma once

#include <offgrid/emu/device/async_copy.h>

#include <cstdint>

namespace offgrid::emu {

/// As start_async_copy; `pc` is the place in the kernel, as a return address.
void start_async_copy_at(void* to, const void* from, std::size_t bytes, std::size_t given, std::uintptr_t pc);

}  // namespace offgrid::emu
