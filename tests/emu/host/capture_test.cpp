// Stream capture: what is recorded, what is refused, and that replay uses the arguments of the capture.
#include "host_fixture.h"

using namespace offgrid::test;

namespace {

struct Streams {
  Streams() {
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
  }
  ~Streams() {
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
  }
  cudaStream_t a = nullptr, b = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
};

std::size_t node_count(cudaGraph_t graph) {
  std::size_t count = 0;
  REQUIRE(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
  return count;
}

void add_one(float* data, cudaStream_t stream) { OFFGRID_TEST_LAUNCH(1, 4, 0, stream, add_value(data, 1.0f, 4)); }

}  // namespace

TEST_CASE("Capture.RecordsInsteadOfRunningAndReplaysFrozenArguments") {
  FindingLog log;
  Streams s;
  Floats data(4);
  REQUIRE(cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal) == cudaSuccess);
  float value = 2.0f;
  OFFGRID_TEST_LAUNCH(1, 4, 0, s.a, add_value(data.data, value, 4));
  value = 100.0f;
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(s.a, &graph) == cudaSuccess);
  CHECK(data.first() == 0.0f);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);  // the executable graph stands alone
  for (int i = 1; i <= 3; ++i) {
    CHECK(cudaGraphLaunch(exec, s.a) == cudaSuccess);
    CHECK(data.first() == 2.0f * static_cast<float>(i));
  }
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, s.a) == cudaErrorInvalidValue);
  CHECK(log.take_headline() == "executable graph of cudaGraphLaunch was destroyed or never created");
}

TEST_CASE("Capture.FollowsForkAndJoin") {
  FindingLog log;
  Streams s;
  Floats x(4), y(4);
  cudaStreamBeginCapture(s.a, cudaStreamCaptureModeRelaxed);
  add_one(x.data, s.a);
  cudaEventRecord(s.fork, s.a);
  CHECK(cudaStreamWaitEvent(s.b, s.fork, 0) == cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(s.b, &status);
  CHECK(status == cudaStreamCaptureStatusActive);
  add_one(y.data, s.b);
  add_one(x.data, s.a);
  cudaEventRecord(s.join, s.b);
  CHECK(cudaStreamWaitEvent(s.a, s.join, 0) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(s.a, &graph) == cudaSuccess);
  cudaStreamIsCapturing(s.b, &status);
  CHECK(status == cudaStreamCaptureStatusNone);
  CHECK(node_count(graph) == 3);
  std::size_t edges = 0;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges) == cudaSuccess);
  CHECK(edges == 2);
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, nullptr);
  CHECK(x.first() == 2.0f);
  CHECK(y.first() == 1.0f);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

TEST_CASE("Capture.RefusesUnjoinedWork") {
  FindingLog log;
  Streams s;
  Floats x(4);
  cudaStreamBeginCapture(s.a, cudaStreamCaptureModeRelaxed);
  cudaEventRecord(s.fork, s.a);
  cudaStreamWaitEvent(s.b, s.fork, 0);
  add_one(x.data, s.b);
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(8);
  CHECK(cudaStreamEndCapture(s.a, &graph) == cudaErrorStreamCaptureUnjoined);
  CHECK(graph == nullptr);
  add_one(x.data, s.b);  // both streams are ordinary ones again
  CHECK(x.first() == 1.0f);
}

TEST_CASE("Capture.CallsThatWaitInvalidateIt") {
  FindingLog log;
  Streams s;
  Floats x(4);
  cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
  CHECK(cudaStreamSynchronize(s.a) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaMemsetAsync(x.data, 0, 16, s.a) == cudaErrorStreamCaptureInvalidated);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(s.a, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamSynchronize(s.a) == cudaSuccess);
}

TEST_CASE("Capture.GlobalModeForbidsUnsafeCallsRelaxedModeDoesNot") {
  FindingLog log;
  Streams s;
  cudaGraph_t graph = nullptr;
  char* p = nullptr;
  cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
  CHECK(cudaMalloc(&p, 16) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(s.a, &graph) == cudaErrorStreamCaptureInvalidated);
  cudaStreamBeginCapture(s.a, cudaStreamCaptureModeRelaxed);
  CHECK(cudaMalloc(&p, 16) == cudaSuccess);
  CHECK(cudaStreamEndCapture(s.a, &graph) == cudaSuccess);
  cudaFree(p);
  cudaGraphDestroy(graph);
}

TEST_CASE("Capture.LegacyStreamCannotTakePart") {
  FindingLog log;
  Streams s;
  Floats x(4);
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
  cudaStreamBeginCapture(s.a, cudaStreamCaptureModeRelaxed);
  add_one(x.data, nullptr);
  CHECK(cudaGetLastError() == cudaErrorStreamCaptureImplicit);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(s.a, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamEndCapture(s.a, &graph) == cudaErrorIllegalState);
}

TEST_CASE("Capture.EndsOnlyWhereItBegan") {
  FindingLog log;
  Streams s;
  cudaGraph_t graph = nullptr;
  cudaStreamBeginCapture(s.a, cudaStreamCaptureModeRelaxed);
  CHECK(cudaStreamBeginCapture(s.a, cudaStreamCaptureModeRelaxed) == cudaErrorIllegalState);
  cudaEventRecord(s.fork, s.a);
  cudaStreamWaitEvent(s.b, s.fork, 0);
  CHECK(cudaEventQuery(s.join) == cudaSuccess);
  CHECK(cudaStreamEndCapture(s.b, &graph) == cudaErrorStreamCaptureUnmatched);
  CHECK(cudaStreamEndCapture(s.a, &graph) == cudaSuccess);
  CHECK(node_count(graph) == 0);
  cudaGraphDestroy(graph);
}

TEST_CASE("Capture.WaitingForAnUncapturedEventIsRefused") {
  FindingLog log;
  Streams s;
  cudaEventRecord(s.fork, s.b);
  cudaStreamBeginCapture(s.a, cudaStreamCaptureModeRelaxed);
  CHECK(cudaStreamWaitEvent(s.a, s.fork, 0) == cudaErrorStreamCaptureIsolation);
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(s.a, &graph);
  cudaGraphDestroy(graph);
}

TEST_CASE("Capture.OwnsMemoryAllocatedInIt") {
  FindingLog log;
  Streams s;
  const std::size_t live = offgrid::emu::DeviceMemory::instance().live_count();
  cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
  float* p = nullptr;
  REQUIRE(cudaMallocAsync(&p, 16, s.a) == cudaSuccess);
  cudaMemsetAsync(p, 0, 16, s.a);
  add_one(p, s.a);
  CHECK(cudaFreeAsync(p, s.a) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(s.a, &graph) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  CHECK(cudaGraphLaunch(exec, s.a) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, s.a) == cudaSuccess);
  CHECK(p[0] == 1.0f);
  cudaGraphExecDestroy(exec);
  CHECK(offgrid::emu::DeviceMemory::instance().live_count() == live);
  CHECK(log.take_headline() == "");
}
