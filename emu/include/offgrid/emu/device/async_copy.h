/// Copies from global to shared memory that run beside the thread: what `cp.async`, `__pipeline_memcpy_async` and
/// cooperative groups' memcpy_async start.
///
/// A copy lands when its thread waits for its group, and not before: until then the destination holds what it held, and
/// the source is not read. A kernel that forgets the wait sees stale data, as it may on a device. Copies that nobody
/// waits for never land. Checked mode sees the read and the write of a copy both when it starts and when it lands, as
/// accesses of its thread; the destination is undefined in between.
#pragma once

#include <cstddef>

namespace offgrid::emu {

/// Starts a copy of `bytes` (4, 8 or 16) to `to`, of which the first `given` come from `from` and the rest are zeros.
/// Both addresses must be multiples of `bytes`; it is a finding if one is not.
void start_async_copy(void* to, const void* from, std::size_t bytes, std::size_t given) noexcept;

/// Closes a group: the copies that the thread has started since the last one.
void commit_async_copies() noexcept;

/// Lands the thread's groups, in their order, but for the newest `pending`.
void wait_for_async_copies(unsigned pending) noexcept;

}  // namespace offgrid::emu
