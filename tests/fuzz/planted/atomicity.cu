// Orders and windows that atomics would need to close.
#include "planted.h"

using namespace planted;

namespace {

const std::vector<offgrid::fuzz::Parameter> kThreads{{"threads", 1, 64, {1, 2, 31, 32, 33, 64}}};

/// A list in the order of arrival; the twin puts each thread into its own place.
template <bool kFenced>
__global__ void arrive(int* count, int* list) {
  const int slot = atomicAdd(count, 1);
  list[kFenced ? threadIdx.x : slot] = threadIdx.x;
}

template <bool kFenced>
Outcome atomic_order(const Input& in) {
  const int n = in.as_int("threads");
  Memory<int> count(1), list(n);
  arrive<kFenced><<<1, n>>>(count.get(), list.get());
  cudaDeviceSynchronize();
  for (int t = 0; t < n; ++t) {
    if (list[t] != t) return expect("list[" + std::to_string(t) + "]", list[t], t);
  }
  return offgrid::fuzz::passed();
}

/// One winner takes the flag. Between the check and the act lies one access.
template <bool kFenced>
__device__ void take(volatile int* flag, int* winners) {
  if (kFenced) {
    if (atomicCAS(const_cast<int*>(flag), 0, 1) == 0) atomicAdd(winners, 1);
  } else if (*flag == 0) {
    *flag = 1;
    atomicAdd(winners, 1);
  }
}

template <bool kFenced>
__global__ void race_for(volatile int* flag, int* winners) {
  take<kFenced>(flag, winners);
}

template <bool kFenced>
Outcome check_then_act(const Input& in) {
  Memory<int> flag(1), winners(1);
  race_for<kFenced><<<1, in.as_int("threads")>>>(flag.get(), winners.get());
  cudaDeviceSynchronize();
  return expect("the number of winners", winners[0], 1);
}

/// The same behind prefixes of 200 steps and, for odd threads, 300.
template <bool kFenced>
__global__ void race_after_work(volatile int* flag, int* winners, volatile int* own) {
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < (t % 2 ? 300 : 200); ++i) sum += own[t];
  own[t] = sum;
  take<kFenced>(flag, winners);
}

template <bool kFenced>
Outcome unequal_prefixes(const Input& in) {
  const int n = in.as_int("threads");
  Memory<int> flag(1), winners(1), own(n);
  race_after_work<kFenced><<<1, n>>>(flag.get(), winners.get(), own.get());
  cudaDeviceSynchronize();
  return expect("the number of winners", winners[0], 1);
}

/// Thread 0 writes 1 and then 2; another thread must not see both. Four accesses in one order: depth 3.
template <bool kFenced>
__global__ void two_steps(volatile int* x, int* bad) {
  if (threadIdx.x == 0) {
    *x = 1;
    *x = 2;
  }
  if (kFenced) __syncthreads();
  if (threadIdx.x > 0) {
    const int first = *x, second = *x;
    if (first == 1 && second == 2) atomicAdd(bad, 1);
  }
}

template <bool kFenced>
Outcome two_variable_order(const Input& in) {
  Memory<int> x(1), bad(1);
  two_steps<kFenced><<<1, in.as_int("threads")>>>(x.get(), bad.get());
  cudaDeviceSynchronize();
  return expect("the number of threads that saw both", bad[0] > 0, 0);
}

const Pair kOrder("atomic_order", kThreads, atomic_order<false>, atomic_order<true>);
const Pair kWindow("check_then_act", kThreads, check_then_act<false>, check_then_act<true>);
const Pair kPrefixes("window_after_unequal_prefixes", {{"threads", 1, 2, {1, 2}}}, unequal_prefixes<false>,
                     unequal_prefixes<true>);
const Pair kDepth("two_variable_order", kThreads, two_variable_order<false>, two_variable_order<true>);

}  // namespace
