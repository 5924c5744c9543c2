// Values of other lanes.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>

#include "case_kernel.h"

namespace {

namespace cg = cooperative_groups;

__device__ int match_all(int value) {
  int predicate;
  __match_all_sync(~0u, value, &predicate);
  return predicate;
}

__device__ float through_shared(const float* x) {
  __shared__ float copy[32];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, copy, x, sizeof copy);
  cg::wait(block);
  return copy[threadIdx.x ^ 1];
}

#define DEFINEDNESS_CASE(use, name, Type, threads, ...) DEFINEDNESS_KERNEL(name, Type, threads, (__VA_ARGS__))
#include "lane_cases.inc"
#undef DEFINEDNESS_CASE

}  // namespace

std::vector<offgrid::emu::test::DefinednessCase> offgrid::emu::test::lane_cases() {
  return {
#define DEFINEDNESS_CASE(use, name, Type, threads, ...) {#name, name##_case, Use::use},
#include "lane_cases.inc"
  };
}
