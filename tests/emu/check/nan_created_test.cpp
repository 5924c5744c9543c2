// NaNs that kernels make, on x86-64: each kind of instruction, the way to the report, and what must stay silent.
#if defined(__x86_64__)

#include <immintrin.h>
#include <offgrid/emu/device/device.h>
#include <offgrid/emu/memory.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "catch.h"
#include "check/numerics/nan_report.h"
#include "emu/check/silent_observer.h"
#include "emu/engine/launch_lanes.h"

using namespace offgrid::emu;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Device memory of one type, given back at the end.
template <class T>
struct Buffer {
  explicit Buffer(std::size_t n, MemoryKind kind = MemoryKind::kDevice)
      : bytes(n * sizeof(T)), data(static_cast<T*>(DeviceMemory::instance().allocate(bytes, kind))) {}
  ~Buffer() { DeviceMemory::instance().free(data); }
  void copy_out() const { nan_check_copied_out(data, bytes); }
  std::size_t bytes;
  T* data;
};

/// The compiler must not know the value.
template <class T>
[[gnu::always_inline]] inline T hidden(T value) {
  asm volatile("" : "+x"(value));
  return value;
}

/// Runs `compute` in thread 5 of 32 and returns what the copy of its result tells.
template <class T, class Compute>
std::vector<Finding> findings_of(Compute compute) {
  const SilentObserver checked;
  const FindingCollector findings;
  const Buffer<T> out(32);
  T* data = out.data;
  launch_lanes({1, 32}, [=] {
    if (offgrid_thread_x() != 5) return;
    data[5] = compute();
  });
  out.copy_out();
  INFO(findings.text());
  return findings.findings();
}

/// What the one report says that gave NaN, or how many reports there are.
template <class T, class Compute>
std::string operation_of(Compute compute) {
  const std::vector<Finding> findings = findings_of<T>(compute);
  if (findings.size() != 1 || findings[0].id != FindingId::kNanCreated) return std::to_string(findings.size());
  return findings[0].headline.substr(0, findings[0].headline.find(" gives NaN, and the NaN reaches "));
}

/// Element kWhich of a sum of 8 floats. A function of its own each: a line is reported only once.
template <int kWhich>
float sum_with_infinities() {
  alignas(32) float a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {}, sum[8];
  a[kWhich] = hidden(kInf);
  b[kWhich] = hidden(-kInf);
  _mm256_store_ps(sum, _mm256_add_ps(_mm256_load_ps(a), _mm256_load_ps(b)));
  return sum[kWhich];
}

}  // namespace

TEST_CASE("NanCreated.EachFloatOperation") {
  CHECK(operation_of<float>([] { return hidden(kInf) + hidden(-kInf); }) == "inf + -inf");
  CHECK(operation_of<float>([] { return hidden(-kInf) - hidden(-kInf); }) == "-inf - -inf");
  CHECK(operation_of<float>([] { return hidden(kInf) * hidden(0.0f); }) == "inf * 0");
  CHECK(operation_of<float>([] { return hidden(0.0f) / hidden(-0.0f); }) == "0 / -0");
  CHECK(operation_of<float>([] { return __builtin_sqrtf(hidden(-2.5f)); }) == "sqrt(-2.5)");
}

TEST_CASE("NanCreated.EachDoubleOperation") {
  CHECK(operation_of<double>([] { return hidden(kInfinity) + hidden(-kInfinity); }) == "inf + -inf");
  CHECK(operation_of<double>([] { return hidden(kInfinity) - hidden(kInfinity); }) == "inf - inf");
  CHECK(operation_of<double>([] { return hidden(0.0) * hidden(kInfinity); }) == "0 * inf");
  CHECK(operation_of<double>([] { return hidden(kInfinity) / hidden(kInfinity); }) == "inf / inf");
  CHECK(operation_of<double>([] { return __builtin_sqrt(hidden(-0.1)); }) == "sqrt(-0.1)");
}

/// The two orders in which a compiler may put the operands of a commutative operation.
bool is_either(const std::string& text, const std::string& one, const std::string& other) {
  INFO(text);
  return text == one || text == other;
}

TEST_CASE("NanCreated.FusedMultiplyAdd") {
  CHECK(is_either(operation_of<float>([] { return std::fma(hidden(kInf), hidden(0.0f), hidden(3.0f)); }), "inf * 0 + 3",
                  "0 * inf + 3"));
  CHECK(is_either(operation_of<float>([] { return std::fma(hidden(2.0f), hidden(kInf), hidden(-kInf)); }),
                  "2 * inf + -inf", "inf * 2 + -inf"));
  CHECK(is_either(operation_of<double>([] { return std::fma(hidden(2.0), hidden(kInfinity), -hidden(kInfinity)); }),
                  "2 * inf - inf", "inf * 2 - inf"));
  CHECK(is_either(operation_of<double>([] { return std::fma(-hidden(2.0), hidden(kInfinity), hidden(kInfinity)); }),
                  "-(2 * inf) + inf", "-(inf * 2) + inf"));
  CHECK(is_either(operation_of<double>([] { return std::fma(-hidden(2.0), hidden(-kInfinity), -hidden(kInfinity)); }),
                  "-(2 * -inf) - inf", "-(-inf * 2) - inf"));
}

TEST_CASE("NanCreated.EncodingsAndOperandPlaces") {
  // High registers, memory operands with index and displacement, relative to the code; legacy encoding.
  const auto high_registers = [] {
    register float a asm("xmm9") = kInf;
    register float b asm("xmm14") = -kInf;
    asm volatile("vaddss %%xmm14, %%xmm9, %%xmm9" : "+x"(a) : "x"(b));
    return a;
  };
  CHECK(operation_of<float>(high_registers) == "inf + -inf");
  const auto indexed_memory = [] {
    const float table[40] = {};
    float a = hidden(0.0f);
    asm volatile("vdivss 132(%1,%2,4), %0, %0" : "+x"(a) : "r"(table), "r"(std::size_t{5}), "m"(table));
    return a;
  };
  CHECK(operation_of<float>(indexed_memory) == "0 / 0");
  static const double zero = 0;
  const auto code_relative = [] {
    double a = hidden(kInfinity);
    asm volatile("mulsd %1, %0" : "+x"(a) : "m"(zero));
    return a;
  };
  CHECK(operation_of<double>(code_relative) == "inf * 0");
  const auto legacy = [] {
    float a = hidden(kInf), b = hidden(kInf);
    asm volatile("subss %1, %0" : "+x"(a) : "x"(b));
    return a;
  };
  CHECK(operation_of<float>(legacy) == "inf - inf");
}

TEST_CASE("NanCreated.ElementOfAVector") {
  CHECK(is_either(operation_of<float>(&sum_with_infinities<1>), "inf + -inf", "-inf + inf"));
  CHECK(is_either(operation_of<float>(&sum_with_infinities<6>), "inf + -inf", "-inf + inf"));
}

TEST_CASE("NanCreated.NamesLaneElementAndLine") {
  const SilentObserver checked;
  const FindingCollector findings;
  const Buffer<float> out(8);
  DeviceMemory::instance().describe(out.data, "o", {"float", 4, {{"", 8}}});
  float* o = out.data;
  unsigned line = 0;
  launch_lanes({2, 4}, [=] {
    const unsigned i = offgrid_block_x() * 4 + offgrid_thread_x();
    const float x = i == 3 || i == 6 ? -kInf : static_cast<float>(i);
    o[i] = hidden(x) - hidden(x);
  });
  line = __LINE__ - 2;
  out.copy_out();
  out.copy_out();  // told once
  REQUIRE(findings.count() == 1);
  const Finding finding = findings.findings()[0];
  CHECK(finding.headline == "-inf - -inf gives NaN, and the NaN reaches `o[3]`");
  CHECK(finding.place.block.x == 0);
  CHECK(finding.place.thread.x == 3);
  CHECK_THAT(findings.text(), ContainsSubstring("nan_created_test.cpp:" + std::to_string(line)));
  CHECK_THAT(findings.text(), ContainsSubstring("NaNs of this line are in `o[3]` and `o[6]`"));
  CHECK_THAT(findings.text(), ContainsSubstring("the same in block (1, 0, 0) thread (2, 0, 0)"));
}

TEST_CASE("NanCreated.SurvivesArithmeticAndConversions") {
  CHECK(operation_of<float>([] {
          const float nan = hidden(0.0f) / hidden(0.0f);
          const double wide = static_cast<double>(hidden(nan)) * 2 + 1;
          return std::fabs(static_cast<float>(hidden(wide)) - 7);
        }) == "0 / 0");
  CHECK(operation_of<double>([] { return static_cast<double>(hidden(hidden(kInf) - hidden(kInf))); }) == "inf - inf");
}

TEST_CASE("NanCreated.InAMathFunctionIsToldAtTheCall") {
  const unsigned line = __LINE__ + 1;
  const std::vector<Finding> findings = findings_of<float>([] { return ::logf(hidden(-1.0f)); });
  REQUIRE(findings.size() == 1);
  CHECK_THAT(format_finding(findings[0]), ContainsSubstring("nan_created_test.cpp:" + std::to_string(line)));
  CHECK_THAT(format_finding(findings[0]),
             ContainsSubstring("a math function gives NaN (0 / 0 inside it), and the NaN reaches"));
}

TEST_CASE("NanCreated.SilentWhenThrownAway") {
  CHECK(findings_of<float>([] {
          const float sum = hidden(0.0f), quotient = hidden(hidden(0.0f) / sum);
          return sum > 0 ? quotient : 0.0f;
        }).empty());
}

// The bytes of a tagged NaN in memory of 8-bit elements are codes; in memory that nobody described they are the NaN.
TEST_CASE("NanCreated.SilentForBytesThatLookLikeOne") {
  const SilentObserver checked;
  const Buffer<float> made(32);
  float* data = made.data;
  launch_lanes({1, 32}, [=] {
    if (offgrid_thread_x() == 5) data[5] = hidden(0.0f) / hidden(0.0f);
  });
  const Buffer<float> codes(8);
  std::memcpy(codes.data, data, codes.bytes);
  const FindingCollector findings;
  DeviceMemory::instance().describe(codes.data, "codes", {"int8", 1, {{"n", codes.bytes}}});
  codes.copy_out();
  CHECK(findings.findings().empty());
  DeviceMemory::instance().describe(codes.data, "numbers", {"fp32", 4, {{"n", codes.bytes / 4}}});
  codes.copy_out();
  CHECK(findings.findings().size() == 1);
}

TEST_CASE("NanCreated.SilentForNansOfInputs") {
  const float quiet = std::numeric_limits<float>::quiet_NaN(), signaling = std::numeric_limits<float>::signaling_NaN();
  CHECK(findings_of<float>([=] { return hidden(quiet) + hidden(1.0f); }).empty());
  CHECK(findings_of<float>([=] { return hidden(signaling) * hidden(kInf); }).empty());
  CHECK(findings_of<float>([=] { return std::fmax(hidden(quiet), hidden(1.0f)) + hidden(quiet); }).empty());
  CHECK(findings_of<float>([=] { return __builtin_sqrtf(hidden(quiet)); }).empty());
}

TEST_CASE("NanCreated.SilentForComparisonsConversionsAndPoles") {
  const float quiet = std::numeric_limits<float>::quiet_NaN();
  CHECK(findings_of<float>([] { return ::logf(hidden(0.0f)); }).empty());
  CHECK(findings_of<float>([] { return hidden(1.0f) / hidden(0.0f); }).empty());
  CHECK(findings_of<int>([=] { return _mm_comilt_ss(_mm_set_ss(hidden(quiet)), _mm_set_ss(1)); }).empty());
  CHECK(findings_of<int>([=] { return _mm_cvttss_si32(_mm_set_ss(hidden(quiet))); }).empty());
  CHECK(findings_of<int>([] { return _mm_cvttsd_si32(_mm_set_sd(hidden(1e300))); }).empty());
  CHECK(
      findings_of<float>([=] { return _mm_cvtss_f32(_mm_max_ss(_mm_set_ss(hidden(quiet)), _mm_set_ss(1))); }).empty());
}

TEST_CASE("NanCreated.WithoutChecksNothingIsTrapped") {
  const FindingCollector findings;
  const Buffer<float> out(1);
  float* o = out.data;
  launch_lanes({1, 1}, [=] { o[0] = hidden(kInf) - hidden(kInf); });
  out.copy_out();
  CHECK(findings.empty());
  std::uint32_t bits;
  std::memcpy(&bits, o, sizeof bits);
  CHECK(bits == 0xFFC00000u);
}

TEST_CASE("NanCreated.ManyExceptionsEndNothing") {
  const SilentObserver checked;
  const FindingCollector findings;
  const Buffer<float> out(1);
  float* o = out.data;
  const unsigned before = _mm_getcsr();
  const LaunchError error = launch_lanes({64, 64}, [=] {
    float last = 0;
    for (int i = 0; i < 100; ++i) last = hidden(0.0f) / hidden(0.0f);
    if (offgrid_block_x() == 0 && offgrid_thread_x() == 0) o[0] = last;
  });
  CHECK(error == LaunchError::kNone);
  CHECK((_mm_getcsr() | 0x3Fu) == (before | 0x3Fu));
  out.copy_out();
  CHECK(findings.count() == 1);
}

TEST_CASE("NanCreated.AFaultOfTheSameLaneIsStillOne") {
  const SilentObserver checked;
  const FindingCollector findings;
  const unsigned before = _mm_getcsr();
  const LaunchError error = launch_lanes({1, 1}, [] {
    volatile int divisor = 0, result = 7 / divisor;
    (void)result;
  });
  CHECK(error == LaunchError::kTrap);
  CHECK(findings.count(FindingId::kIntegerDivision) == 1);
  CHECK((_mm_getcsr() | 0x3Fu) == (before | 0x3Fu));
}

TEST_CASE("NanCreated.InMemoryThatTheHostReadsWithoutACopy") {
  const SilentObserver checked;
  const FindingCollector findings;
  const Buffer<double> out(4, MemoryKind::kManaged);
  double* o = out.data;
  launch_lanes({1, 4},
               [=] { o[offgrid_thread_x()] = hidden(0.0) * hidden(offgrid_thread_x() == 2 ? kInfinity : 1.0); });
  nan_check_host_visible();
  CHECK(findings.count(FindingId::kNanCreated) == 1);
}

#endif
