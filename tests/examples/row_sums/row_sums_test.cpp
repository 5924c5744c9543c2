#include "row_sums.h"

#include <cuda_runtime.h>
#include <offgrid/emu/finding_collector.h>
#include <offgrid/emu/memory.h>

#include <vector>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_NO_POSIX_SIGNALS  // faults of kernels are offgrid's to catch
#include <catch2/catch.hpp>
#endif

using offgrid::emu::DeviceMemory;
using offgrid::emu::FindingCollector;
using offgrid::emu::FindingId;

namespace {

/// Device memory of exactly the size, with a name and a shape for reports.
float* buffer(const char* name, int rows, int columns) {
  float* data = nullptr;
  cudaMalloc(&data, static_cast<std::size_t>(rows) * columns * sizeof(float));
  DeviceMemory::instance().describe(
      data, name, {"float", sizeof(float), {{"rows", std::size_t(rows)}, {"columns", std::size_t(columns)}}});
  return data;
}

}  // namespace

TEST_CASE("RowSums.AddsEachRow") {
  const int rows = 7, columns = 45;
  std::vector<float> x(rows * columns);
  for (int i = 0; i < rows * columns; ++i) x[i] = static_cast<float>(i % 11);
  float* device_x = buffer("x", rows, columns);
  float* device_sums = buffer("sums", rows, 1);
  cudaMemcpy(device_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);

  FindingCollector findings;
  launch_row_sums(device_x, device_sums, rows, columns);
  INFO(findings.text());
  REQUIRE(findings.empty());

  std::vector<float> sums(rows);
  cudaMemcpy(sums.data(), device_sums, rows * sizeof(float), cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) {
    float want = 0;
    for (int c = 0; c < columns; ++c) want += x[r * columns + c];
    CHECK(sums[r] == want);
  }
  cudaFree(device_x);
  cudaFree(device_sums);
}

TEST_CASE("RowSums.ReadingPastTheLastRowIsFound") {
  float* device_x = buffer("x", 3, 64);
  float* device_sums = buffer("sums", 4, 1);
  FindingCollector findings;
  launch_row_sums(device_x, device_sums, 4, 64);  // one row too many
  CHECK(findings.count(FindingId::kOutOfBounds) == 1);
  CHECK(findings.text().find("past the end of `x`") != std::string::npos);
  cudaGetLastError();
  cudaFree(device_x);
  cudaFree(device_sums);
}

#if ROW_SUMS_CHECKED
TEST_CASE("RowSums.ReadingWhatNobodyWroteIsFound") {
  float* device_x = buffer("x", 2, 40);
  float* device_sums = buffer("sums", 2, 1);
  FindingCollector findings;
  launch_row_sums(device_x, device_sums, 2, 40);  // x was never written
  float sums[2];
  cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost);
  CHECK(findings.count(FindingId::kUninitialised) > 0);
  CHECK(findings.text().find("`x`") != std::string::npos);
  cudaFree(device_x);
  cudaFree(device_sums);
}
#endif
