/// What a pointer given to the runtime may be, and the check of a range before the runtime touches it.
#pragma once

#include <cstddef>

#include "host/api_call.h"

namespace offgrid::emu::host {

/// The side of a copy that a cudaMemcpyKind names.
enum class Side { kAny, kHost, kDevice };

Side destination_side(cudaMemcpyKind kind);
Side source_side(cudaMemcpyKind kind);

/// Success if the runtime may touch [pointer, pointer + bytes). Else a finding and cudaErrorInvalidValue.
/// `role` is "destination" or "source"; bytes > 0.
cudaError_t check_range(const ApiCall& api, const void* pointer, std::size_t bytes, Side side, const char* role);

/// Device variables whose address a program has asked for.
void add_symbol(const void* symbol, std::size_t bytes);
bool is_symbol(const void* pointer);

/// Host memory that a program has registered. Begin and size; false if it overlaps a registered range.
bool add_registered(const void* pointer, std::size_t bytes, unsigned flags);
bool remove_registered(const void* pointer);
/// The registration's flags, or -1.
int registered_flags(const void* pointer);

}  // namespace offgrid::emu::host
