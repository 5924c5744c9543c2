/// CUDA's pipeline primitives, answered by the emulator.
#pragma once

#include <cuda_runtime.h>
#include <offgrid/emu/device/async_copy.h>

#include <cstddef>

/// Copies `size_and_align` bytes (4, 8 or 16), the last `zfill` of them zeros in place of the source's.
[[gnu::always_inline]] inline void __pipeline_memcpy_async(void* __restrict__ dst_shared,
                                                           const void* __restrict__ src_global,
                                                           std::size_t size_and_align, std::size_t zfill = 0) {
  offgrid::emu::start_async_copy(dst_shared, src_global, size_and_align, size_and_align - zfill);
}
[[gnu::always_inline]] inline void __pipeline_commit() { offgrid::emu::commit_async_copies(); }
[[gnu::always_inline]] inline void __pipeline_wait_prior(std::size_t prior) {
  offgrid::emu::wait_for_async_copies(static_cast<unsigned>(prior));
}
