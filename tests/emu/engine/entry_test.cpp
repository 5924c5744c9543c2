// Entering kernel functions as rewritten text does: launches, identification, argument arrays, the trace.
#include <offgrid/emu/device/device.h>

#include <string>
#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

namespace {

struct Large {
  double values[40];
};

[[gnu::noinline]] void scale(float* data, float factor, int n) {
  enter_kernel(
      {__PRETTY_FUNCTION__, {__FILE__, __LINE__}, 256, 2},
      [](decltype(data) data, decltype(factor) factor, decltype(n) n) -> void {
        const int i = static_cast<int>(offgrid_block_x() * offgrid_block_dim_x() + offgrid_thread_x());
        if (i < n) data[i] *= factor;
      },
      data, factor, n);
}

template <class T, int kOffset>
[[gnu::noinline]] void shift(T* data, Large large) {
  enter_kernel(
      {__PRETTY_FUNCTION__, {__FILE__, __LINE__}, 0, 0},
      [](decltype(data) data, decltype(large) large) -> void {
        data[offgrid_thread_x()] += static_cast<T>(kOffset + large.values[39]);
      },
      data, large);
}

[[gnu::noinline]] void nested(float* data) {
  enter_kernel(
      {__PRETTY_FUNCTION__, {__FILE__, __LINE__}, 0, 0},
      [](decltype(data) data) -> void { (configure_launch({__FILE__, __LINE__}, 1, 1), scale(data, 2, 1)); }, data);
}

[[gnu::noinline]] void calls_plainly(float* data) {
  enter_kernel(
      {__PRETTY_FUNCTION__, {__FILE__, __LINE__}, 0, 0}, [](decltype(data) data) -> void { scale(data, 2, 1); }, data);
}

const void* address(void (*function)(float*, float, int)) { return reinterpret_cast<const void*>(function); }

}  // namespace

TEST_CASE("Entry.LaunchCopiesItsArguments") {
  std::vector<float> data(100, 3.0f);
  float factor = 2;
  (configure_launch({__FILE__, __LINE__}, 4, 32), scale(data.data(), factor, 99));
  for (int i = 0; i < 99; ++i) REQUIRE(data[static_cast<std::size_t>(i)] == 6.0f);
  REQUIRE(data[99] == 3.0f);
  Large large{};
  large.values[39] = 5;
  (configure_launch({__FILE__, __LINE__}, 1, 100), shift<float, 7>(data.data(), large));
  REQUIRE(data[50] == 18.0f);
}

TEST_CASE("Entry.KernelsAreIdentifiedByAddress") {
  KernelDescriptor* const kernel = identify_kernel(address(&scale));
  REQUIRE(kernel);
  REQUIRE(kernel_name(*kernel).find("scale") != std::string::npos);
  REQUIRE(kernel->max_threads == 256);
  REQUIRE(kernel->min_blocks == 2);
  REQUIRE(identify_kernel(address(&scale)) == kernel);
  KernelDescriptor* const one = identify_kernel(reinterpret_cast<const void*>(&shift<float, 1>));
  KernelDescriptor* const two = identify_kernel(reinterpret_cast<const void*>(&shift<double, 2>));
  REQUIRE(one);
  REQUIRE(two);
  REQUIRE(one != two);
  REQUIRE(kernel_name(*two).find("shift<double, 2>") != std::string::npos);
  REQUIRE(identify_kernel(nullptr) == nullptr);
}

TEST_CASE("Entry.CallsAreMadeFromArgumentArrays") {
  std::vector<float> data(64, 1.0f);
  float* pointer = data.data();
  float factor = 4;
  int n = 64;
  void* arguments[] = {&pointer, &factor, &n};
  LaunchConfig config;
  config.grid = 2;
  config.block = 32;
  const KernelCall call = make_call(address(&scale), config, arguments);
  REQUIRE(call.kernel == identify_kernel(address(&scale)));
  factor = 100;  // too late: the call has its own copy
  REQUIRE(run_kernel(call) == LaunchError::kNone);
  REQUIRE(run_kernel(call) == LaunchError::kNone);
  for (const float v : data) REQUIRE(v == 16.0f);
}

TEST_CASE("Entry.NestedLaunchIsRefused") {
  FindingCollector findings;
  float value = 1;
  (configure_launch({__FILE__, __LINE__}, 1, 1), nested(&value));
  REQUIRE(take_launch_error() == LaunchError::kNotSupported);
  REQUIRE(findings.count(FindingId::kUnsupported) == 1);
  REQUIRE(value == 1);
  (configure_launch({__FILE__, __LINE__}, 1, 1), scale(&value, 3, 1));
  REQUIRE(value == 3);
}

TEST_CASE("Entry.PlainCallIsAFinding") {
  FindingCollector findings;
  float value = 1;
  scale(&value, 2, 1);
  REQUIRE(value == 1);
  REQUIRE(findings.count(FindingId::kLaunchConfig) == 1);
  (configure_launch({__FILE__, __LINE__}, 1, 1), calls_plainly(&value));
  REQUIRE(value == 1);
  REQUIRE(findings.count(FindingId::kLaunchConfig) == 2);
  take_launch_error();
}

TEST_CASE("Entry.RefusedLaunchesKeepTheirError") {
  FindingCollector findings;
  float value = 1;
  take_launch_error();
  (configure_launch({__FILE__, __LINE__}, 1, 257), scale(&value, 2, 1));  // above __launch_bounds__(256)
  REQUIRE(peek_launch_error() == LaunchError::kOutOfResources);
  (configure_launch({__FILE__, __LINE__}, 1, 1025), scale(&value, 2, 1));
  REQUIRE(take_launch_error() == LaunchError::kInvalidConfiguration);
  (configure_launch({__FILE__, __LINE__}, 1, 0), scale(&value, 2, 1));
  REQUIRE(take_launch_error() == LaunchError::kInvalidConfiguration);
  REQUIRE(take_launch_error() == LaunchError::kNone);
  REQUIRE(value == 1);
}

TEST_CASE("Entry.KernelsOfOtherHeadersAreRefused") {
  FindingCollector findings;
  float value = 1;
  KernelDescriptor* const kernel = identify_kernel(address(&scale));
  REQUIRE(kernel->abi == kKernelAbi);
  kernel->abi = 9999;
  (configure_launch({__FILE__, __LINE__}, 1, 1), scale(&value, 2, 1));
  kernel->abi = kKernelAbi;
  REQUIRE(take_launch_error() == LaunchError::kNotSupported);
  REQUIRE(value == 1);
  REQUIRE(findings.count(FindingId::kLaunchConfig) == 1);
  INFO(findings.text());
  REQUIRE(findings.text().find("scale was compiled for version 9999 of the emulator's kernel interface, the program "
                               "has version " +
                               std::to_string(kKernelAbi)) != std::string::npos);
}

TEST_CASE("Entry.TraceListsLaunchesInOrder") {
  FindingCollector findings;
  float values[4] = {};
  int stream = 0;
  set_launch_trace(true);
  (configure_launch({__FILE__, __LINE__}, dim3(2, 3), 32, 128), scale(values, 2, 1));
  (configure_launch({__FILE__, __LINE__}, 1, dim3(4, 4, 4), 0, &stream), shift<float, 1>(values, Large{}));
  (configure_launch({__FILE__, __LINE__}, 1, 2000), scale(values, 2, 1));
  const std::vector<LaunchRecord> trace = launch_trace();
  set_launch_trace(false);
  take_launch_error();
  REQUIRE(trace.size() == 3);
  REQUIRE(trace[0].grid[1] == 3);
  REQUIRE(trace[0].dynamic_shared == 128);
  REQUIRE(trace[0].stream == 0);
  REQUIRE(trace[1].block[2] == 4);
  REQUIRE(trace[1].stream == stream_number(&stream));
  REQUIRE(trace[1].number == trace[0].number + 1);
  REQUIRE(trace[2].error == LaunchError::kInvalidConfiguration);
  REQUIRE(launch_trace().empty());
}
