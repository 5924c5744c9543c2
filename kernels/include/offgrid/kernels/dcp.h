/// Decode context parallelism: which tokens of a row lie on which rank. For host and device code.
#pragma once

#if defined(__CUDACC__) || defined(__HIP__)
#define OFFGRID_HOST_DEVICE __host__ __device__
#else
#define OFFGRID_HOST_DEVICE
#endif

namespace offgrid::kernels {

/// Tokens of a row of kv_len that lie on `rank`, if runs of `interleave` tokens go to the ranks in turn: token n lies
/// on rank n / interleave mod ranks.
///
/// laws    the ranks' lengths add up to kv_len;  never below 0, also for padded rows of kv_len <= 0
OFFGRID_HOST_DEVICE constexpr int dcp_local_kv_len(int kv_len, int rank, int ranks, int interleave) {
  if (kv_len <= 0) return 0;
  const int base = kv_len / interleave / ranks * interleave;
  const long long left = kv_len - static_cast<long long>(base) * ranks - static_cast<long long>(rank) * interleave;
  return base + static_cast<int>(left < 0 ? 0 : left < interleave ? left : interleave);
}

}  // namespace offgrid::kernels
