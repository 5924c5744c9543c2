/// Kernels of clusters, and what they must give.
#pragma once

namespace offgrid::emu::test {

/// Each of 8 blocks of a cluster holds a tile of 170 KB; every block adds up a slice of all of them. Launched with
/// cudaLaunchKernelEx on a grid of (8 * batch, heads, splits). Returns the number of wrong elements, or -1 after an
/// error of the runtime.
int sum_tiles(int threads);

/// The same through PTX alone: mapa, ld.shared::cluster, st.shared::cluster, atom.shared::cluster, the barrier's
/// instructions, the special registers. Returns the number of wrong elements.
int exchange_by_ptx();

/// A histogram whose bins are spread over the blocks of a cluster declared with __cluster_dims__.
int histogram();

}  // namespace offgrid::emu::test
