/// Indices of local arrays that are outside the array's own extent, though not outside the memory that it was given.
#pragma once

#include <cstdint>

#include "check/access.h"

namespace offgrid::emu::check {

/// An index that its array does not have was computed at `pc`. `type` is the array's, as the compiler names it. Nothing
/// is wrong yet: flattened rows and addresses one past the end are such indices too.
void note_index(std::uintptr_t pc, long long index, const char* type);

/// An access to the lane's own stack. Reports it if it is what the lane's last such index was computed for.
void check_local_index(const Access& access);

/// True while an index waits for its access; looked at before check_local_index, which is slower.
extern __thread bool index_is_noted __attribute__((tls_model("initial-exec")));

}  // namespace offgrid::emu::check
