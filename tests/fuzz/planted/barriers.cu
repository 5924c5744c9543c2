// Barriers that are missing.
#include "planted.h"

using namespace planted;

namespace {

const std::vector<offgrid::fuzz::Parameter> kBlock{{"threads", 1, 128, {1, 2, 31, 32, 33, 64, 65, 128}}};
const std::vector<offgrid::fuzz::Parameter> kWarp{{"threads", 1, 32, {1, 2, 31, 32}}};

/// out[t] is what thread t - 1 wrote.
template <bool kFenced>
__global__ void missing_barrier(int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = t + 1;
  if (kFenced) __syncthreads();
  out[t] = t > 0 ? s[t - 1] : 0;
}

/// Each round reads what the next thread wrote in it. Without the second barrier the tile is overwritten too early.
template <bool kFenced>
__global__ void overwrite(int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x, n = blockDim.x;
  for (int round = 0; round < 2; ++round) {
    s[t] = 100 * round + t;
    __syncthreads();
    out[t] += s[(t + 1) % n];
    if (kFenced) __syncthreads();
  }
}

/// The same as the first, inside a warp.
template <bool kFenced>
__global__ void missing_warp_barrier(int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = t + 1;
  if (kFenced) __syncwarp();
  out[t] = t > 0 ? s[t - 1] : 0;
}

template <auto kKernel>
long sum_of(const Input& in) {
  const int n = in.as_int("threads");
  Memory<int> out(n);
  kKernel<<<1, n>>>(out.get());
  cudaDeviceSynchronize();
  long sum = 0;
  for (int t = 0; t < n; ++t) sum += (t + 1L) * out[t];
  return sum;
}

template <auto kKernel>
Outcome neighbours(const Input& in) {
  long want = 0;
  for (int t = 0; t < in.as_int("threads"); ++t) want += (t + 1L) * t;
  return expect("the weighted sum of out", sum_of<kKernel>(in), want);
}

template <auto kKernel>
Outcome rounds(const Input& in) {
  const int n = in.as_int("threads");
  long want = 0;
  for (int t = 0; t < n; ++t) want += (t + 1L) * (100 + 2 * ((t + 1) % n));
  return expect("the weighted sum of out", sum_of<kKernel>(in), want);
}

const Pair kMissing("missing_barrier", kBlock, neighbours<missing_barrier<false>>, neighbours<missing_barrier<true>>);
const Pair kOverwrite("overwrite_without_second_barrier", kBlock, rounds<overwrite<false>>, rounds<overwrite<true>>);
const Pair kWarpBarrier("missing_warp_barrier", kWarp, neighbours<missing_warp_barrier<false>>,
                        neighbours<missing_warp_barrier<true>>);

}  // namespace
