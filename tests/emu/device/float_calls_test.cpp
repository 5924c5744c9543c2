// Float functions in kernels give the device's bits, in every spelling; in host code, and with `fast`, the C library's.
#include <offgrid/emu/device/device.h>
#include <offgrid/emu/engine.h>
#include <offgrid/emu/numerics/float_functions.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "catch.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

namespace {

constexpr unsigned kCount = 4096;

/// Settings for one test.
class WithNumerics {
 public:
  explicit WithNumerics(Numerics numerics) : before_(engine_settings()) {
    EngineSettings settings = before_;
    settings.numerics = numerics;
    configure_engine(settings);
  }
  ~WithNumerics() { configure_engine(before_); }
  WithNumerics(const WithNumerics&) = delete;
  WithNumerics& operator=(const WithNumerics&) = delete;

 private:
  EngineSettings before_;
};

float operand(unsigned i) { return 0.01f * static_cast<float>(i) - 7.3f; }

/// How many of the operands give other bits on a lane than `expected` does on the host.
template <class Function, class Expected>
unsigned differing(Function function, Expected expected) {
  std::vector<float> results(kCount);
  float* const out = results.data();
  launch_lanes({1, dim3(32)}, [=] {
    for (unsigned i = offgrid_thread_x(); i < kCount; i += 32) out[i] = function(operand(i));
  });
  unsigned count = 0;
  for (unsigned i = 0; i < kCount; ++i) {
    const float value = expected(operand(i));
    count +=
        std::memcmp(&value, &results[i], sizeof value) != 0 && (value == value || results[i] == results[i]) ? 1 : 0;
  }
  return count;
}

float (*const volatile pointer_to_expf)(float) = ::expf;

}  // namespace

TEST_CASE("FloatCalls.EverySpellingGivesTheDevicesBitsOnALane") {
  const WithNumerics exact(Numerics::kExact);
  CHECK(differing([](float x) { return ::expf(x); }, numerics::expf) == 0);
  CHECK(differing([](float x) { return std::exp(x); }, numerics::expf) == 0);
  CHECK(differing([](float x) { return exp(x); }, numerics::expf) == 0);
  CHECK(differing([](float x) { return pointer_to_expf(x); }, numerics::expf) == 0);
  CHECK(differing([](float x) { return __expf(x); }, [](float x) { return numerics::fast_expf(x); }) == 0);
  CHECK(differing([](float x) { return tanhf(x); }, numerics::tanhf) == 0);
  CHECK(differing([](float x) { return rsqrtf(x); }, numerics::rsqrtf) == 0);
  CHECK(differing([](float x) { return sinpif(x); }, numerics::sinpif) == 0);
  CHECK(differing([](float x) { return powf(x, 1.7f); }, [](float x) { return numerics::powf(x, 1.7f); }) == 0);
  CHECK(differing([](float x) { return __fdividef(1.0f, x); },
                  [](float x) { return numerics::fast_fdividef(1.0f, x); }) == 0);
  const auto sum = [](float x) {
    float s, c;
    sincosf(x, &s, &c);
    return s + 3 * c;
  };
  CHECK(differing(sum, [](float x) { return numerics::sinf(x) + 3 * numerics::cosf(x); }) == 0);
}

TEST_CASE("FloatCalls.TheCLibraryGivesOtherBits") {
  const WithNumerics exact(Numerics::kExact);
  const auto host_exp = [](float x) { return ::expf(x); };  // no lane: the C library's
  CHECK(differing([](float x) { return ::expf(x); }, host_exp) > kCount / 50);
  CHECK(differing([](float x) { return ::tanhf(x); }, [](float x) { return ::tanhf(x); }) > kCount / 200);
}

TEST_CASE("FloatCalls.FastGivesTheCLibrarysValues") {
  const WithNumerics fast(Numerics::kFast);
  CHECK(differing([](float x) { return ::expf(x); }, [](float x) { return ::expf(x); }) == 0);
  CHECK(differing([](float x) { return __expf(x); }, [](float x) { return ::expf(x); }) == 0);
  CHECK(differing([](float x) { return ::expf(x); }, numerics::expf) > kCount / 50);
}

TEST_CASE("FloatCalls.ProfilesSayWhetherTheyAreModelled") {
  CHECK(find_device_profile("sm_90")->exact_numerics);
  CHECK_FALSE(find_device_profile("gfx1030")->exact_numerics);
  EngineSettings settings;
  settings.profile = find_device_profile("gfx1030");
  const EngineSettings before = engine_settings();
  configure_engine(settings);
  CHECK_FALSE(exact_numerics());
  configure_engine(before);
  CHECK(exact_numerics());
}
