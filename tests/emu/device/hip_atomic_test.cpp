// What HIP's atomics have beyond CUDA's. Built in HIP mode.
#include <offgrid/emu/device/device.h>

#include <cmath>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

TEST_CASE("HipAtomic.FloatMinimumAndMaximum") {
  float low = std::nanf(""), high = -INFINITY;
  double zero = 0.0;
  auto *low_at = &low, *high_at = &high;
  auto* zero_at = &zero;
  launch_lanes({4, 64}, [=] {
    const auto t = static_cast<float>(offgrid_block_x() * 64 + offgrid_thread_x());
    atomicMin(low_at, 10.0f - t);
    atomicMax(high_at, t == 77 ? std::nanf("") : t);
    atomicMin(zero_at, -0.0);
  });
  REQUIRE(low == 10.0f - 255.0f);
  REQUIRE(high == 255.0f);
  REQUIRE(std::signbit(zero));
}

TEST_CASE("HipAtomic.AdditionKeepsSubnormals") {
  float v = __uint_as_float(1);
  float* const at = &v;
  launch_lanes({1, 4}, [=] {
    atomicAddNoRet(at, __uint_as_float(1));
    unsafeAtomicAdd(at, __uint_as_float(2));
  });
  REQUIRE(__float_as_uint(v) == 13);
}

TEST_CASE("HipAtomic.NamedOrdersAndScopes") {
  const unsigned workers = GENERATE(1u, 2u);
  EngineScope engine(on_device("gfx1030", workers));
  int sum = 0, high = 0;
  float real = 0;
  int *const sum_at = &sum, *const high_at = &high;
  float* const real_at = &real;
  launch_lanes({64, 64}, [=] {
    const int t = static_cast<int>(offgrid_block_x() * 64 + offgrid_thread_x());
    __hip_atomic_fetch_add(sum_at, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __hip_atomic_fetch_max(high_at, t, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
    float seen = __hip_atomic_load(real_at, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    while (!__hip_atomic_compare_exchange_strong(real_at, &seen, seen + 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                                 __HIP_MEMORY_SCOPE_AGENT)) {
    }
  });
  REQUIRE(sum == 4096);
  REQUIRE(high == 4095);
  REQUIRE(real == 4096);
}
