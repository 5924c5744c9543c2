// Copies and fills: bytes, boxes, symbols, and the mistakes that are caught before a byte moves.
#include <cstring>
#include <numeric>

#include "host_fixture.h"

using namespace offgrid::test;

namespace {

std::vector<float> counting(std::size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 0.0f);
  return v;
}

float symbol[8] = {};

}  // namespace

TEST_CASE("Memcpy.RoundTrip") {
  FindingLog log;
  Floats a(100), b(100);
  const std::vector<float> in = counting(100);
  CHECK(cudaMemcpy(a.data, in.data(), 400, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(b.data, a.data, 400, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(read_back(b.data, 100) == in);
  std::vector<float> out(100);
  CHECK(cudaMemcpy(out.data(), b.data, 400, cudaMemcpyDefault) == cudaSuccess);
  CHECK(out == in);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(log.take_headline() == "");
}

TEST_CASE("Memcpy.RefusesToRunPastAnAllocation") {
  FindingLog log;
  Floats a(100);
  const std::vector<float> in = counting(101);
  CHECK(cudaMemcpy(a.data, in.data(), 404, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(log.findings.at(0).headline.find("destination of cudaMemcpy runs 4 bytes past the end of `allocation #") == 0);
  CHECK(log.findings.at(0).sites.at(1).role == "allocated");
  log.findings.clear();
  std::vector<float> out(101);
  CHECK(cudaMemcpy(out.data(), a.data + 1, 400, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(log.take_headline().find("source of cudaMemcpy runs 4 bytes past") == 0);
  CHECK(a.first() == 0.0f);  // nothing was copied
}

TEST_CASE("Memcpy.RefusesAKindThatContradictsThePointers") {
  FindingLog log;
  Floats a(4);
  std::vector<float> host(4);
  CHECK(cudaMemcpy(a.data, host.data(), 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(log.take_headline() == "destination of cudaMemcpy is device memory where host memory belongs");
  CHECK(cudaMemcpy(a.data, host.data(), 16, cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
  CHECK(log.take_headline() == "source of cudaMemcpy is ordinary host memory where device memory belongs");
  CHECK(cudaMemcpy(a.data, host.data(), 16, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
  CHECK(log.take_headline() == "");
}

TEST_CASE("Memcpy.RefusesFreedAndNullPointers") {
  FindingLog log;
  float *freed = nullptr, host[4] = {};
  cudaMalloc(&freed, 16);
  cudaFree(freed);
  CHECK(cudaMemcpy(freed, host, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(log.take_headline().find("destination of cudaMemcpy lies in freed `allocation #") == 0);
  CHECK(cudaMemcpy(host, nullptr, 16, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(log.take_headline() == "source of cudaMemcpy is a null pointer");
}

TEST_CASE("Memcpy.TakesPinnedManagedAndRegisteredMemoryOnEitherSide") {
  FindingLog log;
  Floats a(4);
  float *pinned = nullptr, *managed = nullptr;
  cudaMallocHost(&pinned, 16);
  cudaMallocManaged(&managed, 16);
  std::vector<float> registered(4);
  cudaHostRegister(registered.data(), 16, 0);
  for (float* p : {pinned, managed, registered.data()}) {
    CHECK(cudaMemcpy(p, a.data, 16, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaMemcpy(p, a.data, 16, cudaMemcpyDeviceToDevice) == cudaSuccess);
  }
  CHECK(log.take_headline() == "");
  cudaHostUnregister(registered.data());
  cudaFreeHost(pinned);
  cudaFree(managed);
}

TEST_CASE("Memcpy2D.MovesRowsOfDifferentPitch") {
  FindingLog log;
  float* device = nullptr;
  std::size_t pitch = 0;
  cudaMallocPitch(&device, &pitch, 3 * sizeof(float), 4);
  const std::vector<float> in = counting(12);
  CHECK(cudaMemcpy2D(device, pitch, in.data(), 12, 12, 4, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(device[pitch / sizeof(float)] == 3.0f);
  std::vector<float> out(12);
  CHECK(cudaMemcpy2D(out.data(), 12, device, pitch, 12, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(out == in);
  CHECK(cudaMemcpy2D(out.data(), 8, device, pitch, 12, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(device, pitch, in.data(), 12, 12, 5, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  cudaFree(device);
}

TEST_CASE("Memcpy3D.MovesABox") {
  FindingLog log;
  const std::vector<float> in = counting(2 * 3 * 4);  // [z 2, y 3, x 4]
  cudaPitchedPtr box{};
  cudaMalloc3D(&box, make_cudaExtent(16, 3, 2));
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(const_cast<float*>(in.data()), 16, 4, 3);
  p.dstPtr = box;
  p.extent = make_cudaExtent(16, 3, 2);
  p.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&p) == cudaSuccess);
  std::vector<float> last(1);
  const char* at = static_cast<char*>(box.ptr) + box.pitch * (1 * 3 + 2) + 12;
  CHECK(cudaMemcpy(last.data(), at, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(last[0] == 23.0f);
  cudaFree(box.ptr);
}

TEST_CASE("Memset.FillsAndChecks") {
  FindingLog log;
  Floats a(10);
  CHECK(cudaMemset(a.data, 0x01, 40) == cudaSuccess);
  int word = 0;
  cudaMemcpy(&word, a.data + 9, 4, cudaMemcpyDeviceToHost);
  CHECK(word == 0x01010101);
  CHECK(cudaMemset(a.data, 0, 41) == cudaErrorInvalidValue);
  CHECK(log.take_headline().find("destination of cudaMemset runs 1 byte past the end of") == 0);
  std::vector<int> host(1);
  CHECK(cudaMemset(host.data(), 0, 4) == cudaErrorInvalidValue);
  CHECK(log.take_headline() == "destination of cudaMemset is ordinary host memory where device memory belongs");
}

TEST_CASE("Symbol.CopiesWithOffsetAndKnowsItsSize") {
  FindingLog log;
  const float in[2] = {5, 6};
  CHECK(cudaMemcpyToSymbol(symbol, in, 8, 4) == cudaSuccess);
  CHECK(symbol[1] == 5.0f);
  CHECK(symbol[2] == 6.0f);
  float out[2] = {};
  CHECK(cudaMemcpyFromSymbol(out, symbol, 8, 4) == cudaSuccess);
  CHECK(out[1] == 6.0f);
  std::size_t bytes = 0;
  CHECK(cudaGetSymbolSize(&bytes, symbol) == cudaSuccess);
  CHECK(bytes == sizeof symbol);
  CHECK(cudaMemcpyToSymbol(symbol, in, 8, 28) == cudaErrorInvalidValue);
  CHECK(log.take_headline() == "cudaMemcpyToSymbol of bytes 28 to 36 exceeds the variable, which has 32");
  CHECK(cudaMemcpyToSymbol(symbol, in, 8, 0, cudaMemcpyDeviceToHost) == cudaErrorInvalidMemcpyDirection);
}

TEST_CASE("Symbol.AddressIsADevicePointer") {
  FindingLog log;
  float* address = nullptr;
  REQUIRE(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), symbol) == cudaSuccess);
  const float in = 9;
  CHECK(cudaMemcpy(address, &in, 4, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(symbol[0] == 9.0f);
  CHECK(log.take_headline() == "");
}
