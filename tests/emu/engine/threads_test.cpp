// Several host threads may launch at once; launches run one after the other.
#include <offgrid/emu/device/device.h>

#include <thread>
#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

TEST_CASE("Threads.LaunchAtOnce") {
  const unsigned workers = GENERATE(1u, 2u);
  EngineScope engine(on_device("sm_90", workers));
#if defined(OFFGRID_SANITIZED)
  constexpr int kThreads = 4, kLaunches = 10;  // each of 2560 fibers costs a sanitizer much
#else
  constexpr int kThreads = 4, kLaunches = 200;
#endif
  std::vector<long> sums(kThreads);
  std::vector<int> failures(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t n = 0; n < kThreads; ++n) {
    threads.emplace_back([&, n] {
      long* const at = &sums[n];
      for (int i = 0; i < kLaunches; ++i) {
        const LaunchError error = launch_lanes({40, 64}, [=] {
          TEST_SHARED(int, s, [64]);
          s[offgrid_thread_x()] = 1;
          __syncthreads();
          atomicAdd(reinterpret_cast<unsigned long long*>(at),
                    1ull * static_cast<unsigned>(s[63 - offgrid_thread_x()]));
        });
        failures[n] += error != LaunchError::kNone;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t n = 0; n < kThreads; ++n) {
    REQUIRE(failures[n] == 0);
    REQUIRE(sums[n] == 40l * 64 * kLaunches);
  }
}

TEST_CASE("Threads.FaultsStayWithTheirLaunch") {
  FindingCollector findings;
  std::vector<int> errors(2);
  std::vector<std::thread> threads;
  for (std::size_t n = 0; n < 2; ++n) {
    threads.emplace_back([&, n] {
      for (int i = 0; i < 100; ++i) {
        const bool faults = n == 1;
        errors[n] += launch_lanes({2, 64}, [=] {
                       int* volatile pointer = reinterpret_cast<int*>(16);
                       __syncthreads();
                       if (faults && offgrid_thread_x() == 5) *pointer = 1;
                     }) != LaunchError::kNone;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  REQUIRE(errors[0] == 0);
  REQUIRE(errors[1] == 100);
}
