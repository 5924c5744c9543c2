// Waits that are too short, and writes that come too late.
#include "planted.h"

using namespace planted;

namespace {

/// The second thread looks 200 times whether the first is done, and then takes what is there.
template <bool kFenced>
__global__ void produce(volatile int* flag, volatile int* data, int* out) {
  if (threadIdx.x == 0) {
    *data = 42;
    *flag = 1;
  }
  if (kFenced) __syncthreads();
  if (threadIdx.x == 1) {
    for (int polls = 0; polls < 200; ++polls) {
      if (*flag) break;
    }
    *out = *data;
  }
}

template <bool kFenced>
Outcome producer_lags(const Input& in) {
  Memory<int> flag(1), data(1), out(1);
  produce<kFenced><<<1, in.as_int("threads")>>>(flag.get(), data.get(), out.get());
  cudaDeviceSynchronize();
  return expect("out", out[0], in["threads"] > 1 ? 42 : 0);
}

/// The last block adds up what all have written.
template <bool kFenced>
__global__ void add_up(int* parts, unsigned* done, int* total) {
  parts[blockIdx.x] = blockIdx.x + 1;
  if (kFenced) __threadfence();
  if (atomicAdd(done, 1u) == gridDim.x - 1) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += parts[b];
    *total = sum;
  }
}

template <bool kFenced>
Outcome last_block(const Input& in) {
  const int blocks = in.as_int("blocks");
  Memory<int> parts(blocks), total(1);
  Memory<unsigned> done(1);
  add_up<kFenced><<<blocks, 1>>>(parts.get(), done.get(), total.get());
  cudaDeviceSynchronize();
  return expect("total", total[0], blocks * (blocks + 1) / 2);
}

const Pair kLag("producer_lags", {{"threads", 1, 64, {1, 2, 32, 33, 64}}}, producer_lags<false>, producer_lags<true>);
const Pair kLast("last_block_without_fence", {{"blocks", 1, 32, {1, 2, 8, 9, 32}}}, last_block<false>,
                 last_block<true>);

}  // namespace
