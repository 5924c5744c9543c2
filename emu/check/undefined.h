/// Undefined values that matter: one that decides something, or that leaves the device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "check/origins.h"

namespace offgrid::emu::check {

/// An undefined value came to `pc`, in the role that `role` says.
void report_undefined(const Lane& lane, OriginId origin, const char* role, std::uintptr_t pc, const char* how);

/// A lane used an undefined value at `pc`: in a branch, an index, a divisor.
void report_use(OriginId origin, std::uintptr_t pc);

/// An undefined value is stored at last_store: if it was made from what lay there, unwritten, that is reported. A mere
/// copy to another place is not.
void check_stored_back(OriginId origin, std::uintptr_t pc);

/// A load of bytes that nobody had written, where nothing follows the value to its use. In shared memory an error:
/// whoever fills a part of an array reads that part. Elsewhere a warning, for the value may go unused.
void report_unwritten_load(const Access& access);

/// The host may have stored to memory that it shares with the device, by code that tells nothing: bytes that no kernel
/// wrote and that are no poison any more are the host's, and defined.
void define_host_stores(std::uintptr_t begin, std::size_t bytes);

/// The host is about to read device memory: what kernels stored there of undefined values is reported. Bytes that
/// nobody ever wrote are not: hosts copy whole buffers.
void check_copied_out(const void* begin, std::size_t bytes, std::uintptr_t pc);

}  // namespace offgrid::emu::check
