/// What the host API tests share: a sink that keeps findings, a few kernels as the rewriter would write them, and a
/// clean last error.
#pragma once

#include <offgrid/emu/engine.h>
#include <offgrid/emu/host/runtime_api.h>
#include <offgrid/emu/kernel_entry.h>
#include <offgrid/emu/memory.h>

#include <string>
#include <vector>

#include "catch.h"

namespace offgrid::test {

/// Receives findings while it lives.
class FindingLog final : public emu::FindingSink {
 public:
  FindingLog() : previous_(emu::set_finding_sink(this)) { cudaGetLastError(); }
  ~FindingLog() override {
    emu::set_finding_sink(previous_);
    cudaGetLastError();
  }
  FindingLog(const FindingLog&) = delete;
  FindingLog& operator=(const FindingLog&) = delete;

  void add(emu::Finding finding) override { findings.push_back(std::move(finding)); }

  /// The headline of the only finding, then forgotten; "" if there is none.
  std::string take_headline() {
    if (findings.empty()) return "";
    const std::string headline = findings.size() == 1 ? findings[0].headline : "several findings";
    findings.clear();
    return headline;
  }

  std::vector<emu::Finding> findings;

 private:
  emu::FindingSink* previous_;
};

inline void add_value(float* data, float value, int count) {
  emu::enter_kernel(
      {__PRETTY_FUNCTION__, {__FILE__, __LINE__}, 0, 0},
      [](float* d, float v, int n) {
        const unsigned i = offgrid_block_x() * offgrid_block_dim_x() + offgrid_thread_x();
        if (i < static_cast<unsigned>(n)) d[i] += v;
      },
      data, value, count);
}

inline void bounded(int* out) {
  emu::enter_kernel({__PRETTY_FUNCTION__, {__FILE__, __LINE__}, 128, 4}, [](int* o) { *o = 1; }, out);
}

inline void clustered(int* out) {
  emu::enter_kernel({__PRETTY_FUNCTION__, {__FILE__, __LINE__}, 0, 0, "out", {2, 1, 1}}, [](int* o) { *o = 1; }, out);
}

inline void write_to(int* out) {
  emu::enter_kernel({__PRETTY_FUNCTION__, {__FILE__, __LINE__}, 0, 0}, [](int* o) { *o = 1; }, out);
}

/// As `kernel<<<grid, block, shared, stream>>>(arguments)` is rewritten.
#define OFFGRID_TEST_LAUNCH(grid, block, shared, stream, call) \
  (::offgrid::emu::configure_launch({__FILE__, __LINE__}, grid, block, shared, stream), call)

template <class T>
std::vector<T> read_back(const T* device, std::size_t count) {
  std::vector<T> host(count);
  REQUIRE(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
  return host;
}

/// `count` floats of zero on the device.
class Floats {
 public:
  explicit Floats(std::size_t count) {
    REQUIRE(cudaMalloc(&data, count * sizeof(float)) == cudaSuccess);
    REQUIRE(cudaMemset(data, 0, count * sizeof(float)) == cudaSuccess);
  }
  ~Floats() { cudaFree(data); }
  Floats(const Floats&) = delete;
  Floats& operator=(const Floats&) = delete;
  float first() const { return read_back(data, 1).front(); }

  float* data = nullptr;
};

}  // namespace offgrid::test
