/// Kernels of wmma_kernels.cu. Pointers are managed memory.
#pragma once

#include <string>

namespace offgrid::emu::test {

/// d = c + a b by one warp through nvcuda::wmma: matrices by rows (a by columns and b by rows if `turned`, else a by
/// rows and b by columns), c and d by rows. name: "16x16x16 half float" and so on. False if there is no such kernel.
bool run_wmma(const std::string& name, bool turned, const void* a, const void* b, const void* c, void* d);

/// Elements of fragments, counted and changed one by one: out[16, 16] = 2 * 3 * 16 in each.
void run_wmma_elements(float* out);

}  // namespace offgrid::emu::test
