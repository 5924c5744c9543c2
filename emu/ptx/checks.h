/// What the interpreter tells the checks, in programs with checked kernels: it is not instrumented itself. All but
/// use() do nothing in fast mode.
#pragma once

#include <offgrid/emu/engine/checked.h>
#include <offgrid/emu/engine/collectives.h>

#include <cstddef>
#include <optional>

#include "ptx/machine.h"

namespace offgrid::emu::ptx {

/// What the running instruction has read so far decides something: an address, a branch. Reports what is undefined.
void use(Machine& m);

/// A load of memory, atomic if it has a scope: what it reads is added to what the instruction has seen.
void check_load(Machine& m, const void* address, std::size_t bytes, std::optional<AtomicScope> scope);
/// A store of what the instruction has seen.
void check_store(Machine& m, void* address, std::size_t bytes, std::optional<AtomicScope> scope);
/// A read-modify-write with what the instruction has seen; afterwards it has seen the old value.
void check_atomic(Machine& m, void* address, std::size_t bytes, AtomicScope scope);

/// The marks of a value that a shuffle is about to exchange go the same way.
void shuffle_taint(Machine& m, LaneMask mask, unsigned source);

}  // namespace offgrid::emu::ptx
