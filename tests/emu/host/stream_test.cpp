// Streams and events.
#include <chrono>
#include <thread>

#include "host_fixture.h"

using namespace offgrid::test;

TEST_CASE("Stream.LivesFromCreateToDestroy") {
  FindingLog log;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100) == cudaSuccess);
  unsigned flags = 0;
  int priority = 0, least = 0, greatest = 0;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(priority == greatest);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  CHECK(log.take_headline() == "stream of cudaStreamDestroy was destroyed before, or never created");
}

TEST_CASE("Stream.AStaleHandleIsReportedByEveryUse") {
  FindingLog log;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamDestroy(stream);
  Floats a(4);
  CHECK(cudaMemsetAsync(a.data, 0, 16, stream) == cudaErrorInvalidResourceHandle);
  CHECK(log.take_headline() == "stream of cudaMemsetAsync was destroyed or never created");
  OFFGRID_TEST_LAUNCH(1, 4, 0, stream, add_value(a.data, 1.0f, 4));
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  CHECK(log.take_headline() == "stream of cudaLaunchKernel was destroyed or never created");
  CHECK(a.first() == 0.0f);
}

TEST_CASE("Stream.NamedHandlesAreStreams") {
  FindingLog log;
  Floats a(4);
  OFFGRID_TEST_LAUNCH(1, 4, 0, cudaStreamPerThread, add_value(a.data, 1.0f, 4));
  OFFGRID_TEST_LAUNCH(1, 4, 0, cudaStreamLegacy, add_value(a.data, 1.0f, 4));
  CHECK(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
  CHECK(a.first() == 2.0f);
}

TEST_CASE("Stream.RunsHostFunctionsInOrder") {
  FindingLog log;
  static float seen = 0;
  static cudaStream_t called_with = nullptr;
  static float* data = nullptr;
  Floats a(1);
  data = a.data;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  OFFGRID_TEST_LAUNCH(1, 1, 0, stream, add_value(a.data, 3.0f, 1));
  CHECK(cudaLaunchHostFunc(stream, [](void* p) { *static_cast<float*>(p) = *data; }, &seen) == cudaSuccess);
  OFFGRID_TEST_LAUNCH(1, 1, 0, stream, add_value(a.data, 3.0f, 1));
  CHECK(seen == 3.0f);
  CHECK(cudaStreamAddCallback(
            stream, [](cudaStream_t s, cudaError_t, void*) { called_with = s; }, nullptr, 0) == cudaSuccess);
  CHECK(called_with == stream);
  CHECK(cudaLaunchHostFunc(stream, nullptr, nullptr) == cudaErrorInvalidValue);
  cudaStreamDestroy(stream);
}

TEST_CASE("Event.MeasuresHostTime") {
  FindingLog log;
  cudaEvent_t start = nullptr, end = nullptr;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, start, end) == cudaErrorInvalidResourceHandle);  // not recorded yet
  cudaEventRecord(start);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  cudaEventRecord(end);
  CHECK(cudaEventQuery(end) == cudaSuccess);
  CHECK(cudaEventSynchronize(end) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&ms, start, end) == cudaSuccess);
  CHECK(ms >= 2.0f);
  cudaEventDestroy(start);
  CHECK(cudaEventDestroy(start) == cudaErrorInvalidResourceHandle);
  CHECK(log.take_headline() == "event of cudaEventDestroy was destroyed or never created");
  cudaEventDestroy(end);
}

TEST_CASE("Event.WithoutTimingHasNoTimes") {
  FindingLog log;
  cudaEvent_t event = nullptr;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaEventRecord(event, nullptr);
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, event, event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventCreateWithFlags(&event, 0x100) == cudaErrorInvalidValue);
  cudaEventDestroy(event);
}
