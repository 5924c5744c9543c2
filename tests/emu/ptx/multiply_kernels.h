/// One kernel for each mma.sync instruction, by its name. A lane's registers lie side by side.
#pragma once

#include <string>

namespace offgrid::emu::test {

/// d = c + a b by one warp, through `mma.sync.aligned.NAME`. Pointers are managed memory; words, or doubles for f64.
/// False if there is no kernel of that name.
bool run_multiply(const std::string& name, const void* a, const void* b, const void* c, void* d);

/// Lanes 16 to 31 go another way, where there is an mma too, or none.
void run_divergent_multiply(bool other_has_mma, float* out);

}  // namespace offgrid::emu::test
