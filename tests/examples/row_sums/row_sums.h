/// The kernel under test, behind a plain function.
#pragma once

/// sums[r] = x[r, 0] + ... + x[r, columns - 1].  x: [rows, columns] and sums: [rows], both in device memory
void launch_row_sums(const float* x, float* sums, int rows, int columns);
