/// Reads of memory that nobody had written yet, because the write that races with them came later: the race is the bug.
#pragma once

#include <cstdint>

namespace offgrid::emu::check {

/// The load at `pc` found undefined bytes. Addresses of shared memory count from its begin.
void note_unwritten_read(std::uintptr_t pc, std::uintptr_t address);
/// A write races with an earlier read at `pc`.
void note_raced_read(std::uintptr_t pc, std::uintptr_t address);
/// True if all that the load read unwritten was written later, by what races with it.
bool is_read_too_early(std::uintptr_t pc);
/// A launch begins.
void forget_early_reads();

}  // namespace offgrid::emu::check
