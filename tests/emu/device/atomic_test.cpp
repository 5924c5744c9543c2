// Atomics: results and totals against plain arithmetic, on one worker and on several, in global and in shared memory.
#include <offgrid/emu/device/device.h>
#include <offgrid/emu/numerics/bfloat16.h>
#include <offgrid/emu/numerics/half.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

namespace {

// What was there before, for each of 64 blocks of 256 lanes, when each adds one.
template <class Add>
std::vector<unsigned> tickets(unsigned workers, unsigned& counter, Add add) {
  EngineScope engine(on_device("sm_90", workers));
  std::vector<unsigned> seen(64 * 256);
  unsigned* const to = seen.data();
  unsigned* const at = &counter;
  launch_lanes({64, 256}, [=] { to[offgrid_block_x() * 256 + offgrid_thread_x()] = add(at); });
  std::sort(seen.begin(), seen.end());
  return seen;
}

float bits(std::uint32_t word) { return __uint_as_float(word); }

}  // namespace

TEST_CASE("Atomic.EveryAdditionIsCountedOnce") {
  const unsigned workers = GENERATE(1u, 2u);
  std::vector<unsigned> want(64 * 256);
  std::iota(want.begin(), want.end(), 0u);
  unsigned counter = 0;
  REQUIRE(tickets(workers, counter, [](unsigned* at) { return atomicAdd(at, 1u); }) == want);
  REQUIRE(tickets(workers, counter = 0, [](unsigned* at) { return atomicAdd_system(at, 1u); }) == want);
  REQUIRE(tickets(workers, counter = 0, [](unsigned* at) { return atomicInc(at, ~0u); }) == want);
  REQUIRE(tickets(workers, counter = 0, [](unsigned* at) {
            unsigned seen = *static_cast<volatile unsigned*>(at), old;
            while ((old = atomicCAS(at, seen, seen + 1)) != seen) seen = old;
            return seen;
          }) == want);
  REQUIRE(counter == 64 * 256);
}

TEST_CASE("Atomic.OperationsReturnTheOldValueAndStoreTheNewOne") {
  struct Step {
    int old, now;
  };
  std::vector<Step> steps(16);
  Step* const to = steps.data();
  launch_lanes({1, 1}, [=] {
    int v = 12;
    int n = 0;
    const auto note = [&](int old) { to[n++] = {old, v}; };
    note(atomicAdd(&v, 5));
    note(atomicSub(&v, 20));
    note(atomicMin(&v, -7));
    note(atomicMax(&v, 100));
    note(atomicAnd(&v, 0x66));
    note(atomicOr(&v, 0x11));
    note(atomicXor(&v, 0xff));
    note(atomicExch(&v, 42));
    note(atomicCAS(&v, 41, 1));
    note(atomicCAS(&v, 42, 1));
    note(atomicAdd_block(&v, 0x7fffffff));
  });
  const Step want[] = {{12, 17},
                       {17, -3},
                       {-3, -7},
                       {-7, 100},
                       {100, 100},
                       {100, 0x75},
                       {0x75, 0x8a},
                       {0x8a, 42},
                       {42, 42},
                       {42, 1},
                       {1, static_cast<int>(0x80000000u)}};
  for (std::size_t i = 0; i < std::size(want); ++i) {
    INFO("step " << i);
    CHECK(steps[i].old == want[i].old);
    CHECK(steps[i].now == want[i].now);
  }
}

TEST_CASE("Atomic.IncrementAndDecrementWrap") {
  unsigned out[12];
  unsigned* const to = out;
  launch_lanes({1, 1}, [=] {
    unsigned up = 0, down = 1;
    for (int i = 0; i < 5; ++i) to[i] = atomicInc(&up, 2);
    for (int i = 0; i < 5; ++i) to[5 + i] = atomicDec(&down, 2);
    up = 9;
    atomicInc(&up, 2);
    to[10] = up;
    down = 9;
    atomicDec(&down, 2);
    to[11] = down;
  });
  const unsigned want[12] = {0, 1, 2, 0, 1, 1, 0, 2, 1, 0, 0, 2};
  for (int i = 0; i < 12; ++i) CHECK(out[i] == want[i]);
}

TEST_CASE("Atomic.WideAndNarrowTypes") {
  struct alignas(16) Pair {
    long a, b;
  };
  const unsigned workers = GENERATE(1u, 2u);
  EngineScope engine(on_device("sm_90", workers));
  unsigned long long sum = 0, high = 0;
  long long low = 0;
  double real = 0;
  Pair pair = {0, 0};
  alignas(4) unsigned short small[2] = {0, 0};
  float4 four = {0, 0, 0, 0};
  auto *sum_at = &sum, *high_at = &high;
  auto* low_at = &low;
  auto* real_at = &real;
  auto* pair_at = &pair;
  unsigned short* small_at = &small[1];
  auto* four_at = &four;
  launch_lanes({32, 128}, [=] {
    const unsigned t = offgrid_block_x() * 128 + offgrid_thread_x();
    atomicAdd(sum_at, 1ull << 33);
    atomicMax(high_at, 1ull * t << 40);
    atomicMin(low_at, -1ll * t);
    atomicAdd(real_at, 0.5);
    atomicAdd(four_at, float4{1, 2, 3, 4});
    Pair seen = *pair_at;
    for (;;) {
      const Pair old = atomicCAS(pair_at, seen, Pair{seen.a + 1, seen.b - 1});
      if (old.a == seen.a && old.b == seen.b) break;
      seen = old;
    }
    unsigned short expected = 0, old;
    while ((old = atomicCAS(small_at, expected, static_cast<unsigned short>(expected + 1))) != expected) expected = old;
  });
  REQUIRE(sum == 4096ull << 33);
  REQUIRE(high == 4095ull << 40);
  REQUIRE(low == -4095);
  REQUIRE(real == 2048);
  REQUIRE(pair.a == 4096);
  REQUIRE(pair.b == -4096);
  REQUIRE(small[0] == 0);
  REQUIRE(small[1] == 4096);
  REQUIRE(four.x == 4096);
  REQUIRE(four.w == 4 * 4096);
}

TEST_CASE("Atomic.Exchange16MovesWholeValues") {
  struct alignas(16) Pair {
    long a, b;
  };
  EngineScope engine(on_device("sm_90", 2));
  Pair slot = {-1, -1};
  Pair* const at = &slot;
  std::vector<Pair> seen(64 * 64);
  Pair* const to = seen.data();
  launch_lanes({64, 64}, [=] {
    const long t = offgrid_block_x() * 64 + offgrid_thread_x();
    to[t] = atomicExch(at, Pair{t, t});
  });
  std::vector<long> values = {slot.a};
  for (const Pair& p : seen) {
    REQUIRE(p.a == p.b);
    values.push_back(p.a);
  }
  std::sort(values.begin(), values.end());
  for (long i = 0; i <= 64 * 64; ++i) REQUIRE(values[static_cast<std::size_t>(i)] == i - 1);
}

TEST_CASE("Atomic.FloatAddFlushesSubnormalsInGlobalMemoryOnly") {
  constexpr std::uint32_t kSmall = 0x00400000, kLeast = 0x00800000;
  float global[5] = {bits(kSmall), bits(kLeast), bits(0x80000001), bits(kLeast), 1.0f};
  float old[5], shared_out[3];
  float *const at = global, *const old_to = old, *const shared_to = shared_out;
  launch_lanes({1, 1}, [=] {
    TEST_SHARED(float, s, [3]);
    old_to[0] = atomicAdd(&at[0], bits(kSmall));       // both operands flushed
    old_to[1] = atomicAdd(&at[1], -bits(kLeast + 1));  // the result is subnormal
    old_to[2] = atomicAdd(&at[2], bits(0x80000001));   // the sign of a flushed sum stays
    old_to[3] = atomicAdd(&at[3], bits(kSmall));
    old_to[4] = atomicAdd(&at[4], std::nanf("3"));
    s[0] = bits(kSmall), s[1] = bits(kLeast), s[2] = bits(0x80000001);
    atomicAdd(&s[0], bits(kSmall));
    atomicAdd(&s[1], -bits(kLeast + 1));
    atomicAdd(&s[2], bits(0x80000001));
    for (int i = 0; i < 3; ++i) shared_to[i] = s[i];
  });
  CHECK(__float_as_uint(old[0]) == kSmall);
  CHECK(__float_as_uint(global[0]) == 0);
  CHECK(__float_as_uint(global[1]) == 0x80000000);
  CHECK(__float_as_uint(global[2]) == 0x80000000);
  CHECK(__float_as_uint(global[3]) == kLeast);
  CHECK(__float_as_uint(global[4]) == 0x7fffffff);
  CHECK(__float_as_uint(shared_out[0]) == 2 * kSmall);
  CHECK(__float_as_uint(shared_out[1]) == 0x80000001);
  CHECK(__float_as_uint(shared_out[2]) == 0x80000002);
}

TEST_CASE("Atomic.PairsOfHalvesKeepSubnormals") {
  __half2 h(__ushort_as_half(1), __float2half(1.0f));
  __nv_bfloat162 b(__ushort_as_bfloat16(1), __float2bfloat16(256.0f));
  __half one = __float2half(2048.0f);
  auto* h_at = &h;
  auto* b_at = &b;
  auto* one_at = &one;
  launch_lanes({1, 3}, [=] {
    atomicAdd(h_at, __half2(__ushort_as_half(1), __float2half(0.25f)));
    atomicAdd(b_at, __nv_bfloat162(__ushort_as_bfloat16(1), __float2bfloat16(1.0f)));
    atomicAdd(one_at, __float2half(1.0f));  // halfway: rounds to even each time
  });
  CHECK(__half_as_ushort(h.x) == 4);
  CHECK(__half2float(h.y) == 1.75f);
  CHECK(__bfloat16_as_ushort(b.x) == 4);
  CHECK(__bfloat162float(b.y) == 256.0f);
  CHECK(__half2float(one) == 2048.0f);
}

TEST_CASE("Atomic.SharedMemoryHistogram") {
  const unsigned workers = GENERATE(1u, 2u);
  EngineScope engine(on_device("sm_90", workers));
  unsigned bins[16] = {};
  unsigned* const to = bins;
  launch_lanes({40, 128}, [=] {
    TEST_SHARED(unsigned, local, [16]);
    const unsigned t = offgrid_thread_x();
    if (t < 16) local[t] = 0;
    __syncthreads();
    atomicAdd(&local[t % 16], t);
    __syncthreads();
    if (t < 16) atomicAdd(&to[t], local[t]);
  });
  for (unsigned i = 0; i < 16; ++i) REQUIRE(bins[i] == 40 * (8 * i + 16 * 28));
}

TEST_CASE("Atomic.NamedOrdersAndScopes") {
  int v = 3;
  int seen[6];
  int *const at = &v, *const to = seen;
  launch_lanes({1, 1}, [=] {
    to[0] = __nv_atomic_fetch_add(at, 4, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    to[1] = __nv_atomic_exchange_n(at, 9, __NV_ATOMIC_ACQ_REL);
    int expected = 8;
    to[2] = __nv_atomic_compare_exchange_n(at, &expected, 1, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED);
    to[3] = expected;
    to[4] = __nv_atomic_compare_exchange_n(at, &expected, 1, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED);
    __nv_atomic_max(at, 77, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    to[5] = __nv_atomic_load_n(at, __NV_ATOMIC_ACQUIRE);
  });
  CHECK(seen[0] == 3);
  CHECK(seen[1] == 7);
  CHECK(seen[2] == 0);
  CHECK(seen[3] == 9);
  CHECK(seen[4] == 1);
  CHECK(seen[5] == 77);
}

TEST_CASE("Atomic.MisalignedAddressEndsTheLaunch") {
  FindingCollector findings;
  alignas(8) unsigned char bytes[16] = {};
  unsigned char* const at = bytes;
  REQUIRE(launch_lanes({}, [=] { atomicAdd(reinterpret_cast<int*>(at + 2), 1); }) == LaunchError::kMisaligned);
  REQUIRE(findings.count() == 1);
  REQUIRE(findings.findings()[0].headline.find("4-byte atomic") != std::string::npos);
  REQUIRE(bytes[2] == 0);
}
