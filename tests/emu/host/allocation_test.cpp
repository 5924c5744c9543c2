// Allocation calls: what they give, and what they say about mistakes.
#include <cstdint>
#include <cstring>

#include "host_fixture.h"

using namespace offgrid::test;
using offgrid::emu::DeviceMemory;
using offgrid::emu::FindingId;

TEST_CASE("Malloc.GivesPoisonedDeviceMemoryAndTakesItBack") {
  FindingLog log;
  const std::size_t live = DeviceMemory::instance().live_count();
  unsigned char* p = nullptr;
  REQUIRE(cudaMalloc(&p, 100) == cudaSuccess);
  CHECK(p[0] == 0xFF);
  CHECK(p[99] == 0xFF);
  CHECK(cudaFree(p) == cudaSuccess);
  CHECK(DeviceMemory::instance().live_count() == live);
  CHECK(log.take_headline() == "");
}

TEST_CASE("Malloc.OfNothingIsANullPointer") {
  int* p = reinterpret_cast<int*>(8);
  CHECK(cudaMalloc(&p, 0) == cudaSuccess);
  CHECK(p == nullptr);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(cudaFreeHost(nullptr) == cudaSuccess);
}

TEST_CASE("Malloc.RefusesWhatTheDeviceDoesNotHave") {
  FindingLog log;
  int* p = nullptr;
  CHECK(cudaMalloc(&p, ~std::size_t{0}) == cudaErrorMemoryAllocation);
  CHECK(p == nullptr);
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 4) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(log.take_headline() == "");  // running out of memory is no mistake
}

TEST_CASE("Free.NamesADoubleFree") {
  FindingLog log;
  int* p = nullptr;
  cudaMalloc(&p, 64);
  const auto id = std::to_string(DeviceMemory::instance().find(reinterpret_cast<std::uintptr_t>(p)).allocation.id);
  cudaFree(p);
  CHECK(cudaFree(p) == cudaErrorInvalidValue);
  REQUIRE(log.findings.size() == 1);
  CHECK(log.findings[0].id == FindingId::kHostApiMisuse);
  CHECK(log.findings[0].headline == "`allocation #" + id + "` is freed a second time");
  CHECK(log.findings[0].sites.at(0).pc != 0);
  CHECK(log.findings[0].sites.at(1).role == "allocated");
}

TEST_CASE("Free.NamesForeignAndInteriorPointers") {
  FindingLog log;
  int on_stack = 0;
  CHECK(cudaFree(&on_stack) == cudaErrorInvalidValue);
  CHECK(log.take_headline() == "cudaFree of a pointer that the runtime did not allocate");
  int* p = nullptr;
  cudaMalloc(&p, 64);
  CHECK(cudaFree(p + 4) == cudaErrorInvalidValue);
  CHECK(log.take_headline().find("cudaFree of a pointer into `allocation #") == 0);
  CHECK(cudaFree(p) == cudaSuccess);
}

TEST_CASE("Free.KeepsHostAndDeviceMemoryApart") {
  FindingLog log;
  int *host = nullptr, *device = nullptr;
  cudaMallocHost(&host, 64);
  cudaMalloc(&device, 64);
  CHECK(cudaFree(host) == cudaErrorInvalidValue);
  CHECK(log.take_headline() == "cudaFree of host memory");
  CHECK(cudaFreeHost(device) == cudaErrorInvalidValue);
  CHECK(log.take_headline() == "cudaFreeHost of device memory");
  CHECK(cudaFreeHost(host) == cudaSuccess);
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("Free.ReportsAWriteThatMissedByAFewBytes") {
  FindingLog log;
  char* p = nullptr;
  cudaMalloc(&p, 20);
  p[20] = 1;
  CHECK(cudaFree(p) == cudaSuccess);
  REQUIRE(log.findings.size() == 1);
  CHECK(log.findings[0].id == FindingId::kOutOfBounds);
}

TEST_CASE("MallocPitch.RowsAreApartByThePitch") {
  FindingLog log;
  float* p = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&p, &pitch, 100, 3) == cudaSuccess);
  CHECK(pitch == 512);
  CHECK(DeviceMemory::instance().contains(p, 3 * 512));
  cudaFree(p);
  cudaPitchedPtr box{};
  REQUIRE(cudaMalloc3D(&box, make_cudaExtent(100, 3, 2)) == cudaSuccess);
  CHECK(DeviceMemory::instance().contains(box.ptr, 6 * 512));
  cudaFree(box.ptr);
}

TEST_CASE("PointerGetAttributes.TellsKindsApart") {
  FindingLog log;
  static int variable = 0;
  int *device = nullptr, *host = nullptr, *managed = nullptr, on_stack = 0;
  void* symbol = nullptr;
  cudaMalloc(&device, 64);
  cudaMallocHost(&host, 64);
  cudaMallocManaged(&managed, 64);
  cudaGetSymbolAddress(&symbol, variable);
  const auto type_of = [](const void* p) {
    cudaPointerAttributes attributes{};
    CHECK(cudaPointerGetAttributes(&attributes, p) == cudaSuccess);
    return attributes.type;
  };
  CHECK(type_of(device + 3) == cudaMemoryTypeDevice);
  CHECK(type_of(host) == cudaMemoryTypeHost);
  CHECK(type_of(managed) == cudaMemoryTypeManaged);
  CHECK(type_of(symbol) == cudaMemoryTypeDevice);
  CHECK(type_of(&on_stack) == cudaMemoryTypeUnregistered);
  cudaFree(device);
  cudaFree(managed);
  cudaFreeHost(host);
}

TEST_CASE("HostRegister.MakesARangeKnownOnce") {
  FindingLog log;
  std::vector<char> buffer(1000);
  void* device = nullptr;
  CHECK(cudaHostGetDevicePointer(&device, buffer.data(), 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(buffer.data(), 1000, cudaHostRegisterMapped) == cudaSuccess);
  CHECK(cudaHostRegister(buffer.data() + 500, 100, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostGetDevicePointer(&device, buffer.data() + 10, 0) == cudaSuccess);
  CHECK(device == buffer.data() + 10);
  unsigned flags = 0;
  CHECK(cudaHostGetFlags(&flags, buffer.data()) == cudaSuccess);
  CHECK(flags == cudaHostRegisterMapped);
  CHECK(cudaHostUnregister(buffer.data()) == cudaSuccess);
  CHECK(cudaHostUnregister(buffer.data()) == cudaErrorHostMemoryNotRegistered);
}

TEST_CASE("MemGetInfo.FollowsAllocations") {
  FindingLog log;
  std::size_t before = 0, after = 0, total = 0;
  cudaMemGetInfo(&before, &total);
  char* p = nullptr;
  cudaMalloc(&p, 1 << 20);
  cudaMemGetInfo(&after, &total);
  CHECK(before - after == 1 << 20);
  CHECK(total >= before);
  cudaFree(p);
}

TEST_CASE("MemPool.KeepsItsSettings") {
  FindingLog log;
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  std::uint64_t threshold = 1 << 20, got = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got) == cudaSuccess);
  CHECK(got == threshold);
  CHECK(cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);  // the default one stays
  float* p = nullptr;
  CHECK(cudaMallocAsync(&p, 64, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(p, nullptr) == cudaSuccess);
}
