// Graphs built by hand, and executable graphs that are changed afterwards.
#include "host_fixture.h"

using namespace offgrid::test;

namespace {

/// A graph and a launch of `add_value(data, value, 4)` in it.
struct Built {
  explicit Built(float* p) : data(p) {
    cudaGraphCreate(&graph, 0);
    arguments[0] = &data;
    arguments[1] = &value;
    arguments[2] = &count;
  }
  ~Built() {
    if (exec != nullptr) cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  }
  cudaKernelNodeParams parameters() {
    cudaKernelNodeParams p{};
    p.func = reinterpret_cast<void*>(add_value);
    p.gridDim = dim3(1);
    p.blockDim = dim3(4);
    p.kernelParams = arguments;
    return p;
  }
  cudaGraphNode_t add_kernel(std::vector<cudaGraphNode_t> after = {}) {
    cudaGraphNode_t node = nullptr;
    const cudaKernelNodeParams p = parameters();
    REQUIRE(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &p) == cudaSuccess);
    return node;
  }
  void launch() {
    if (exec == nullptr) REQUIRE(cudaGraphInstantiate(&exec, graph) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  }

  float* data;
  float value = 1.0f;
  int count = 4;
  void* arguments[3];
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
};

}  // namespace

TEST_CASE("Graph.RunsNodesOfAllKindsInDependencyOrder") {
  FindingLog log;
  Floats a(4);
  Built g(a.data);
  static float seen = 0;
  float out = 0;
  // Created backwards: the dependencies alone give the order.
  cudaGraphNode_t host = nullptr, copy = nullptr, fill = nullptr, empty = nullptr;
  const cudaHostNodeParams call = {[](void* p) { seen = *static_cast<float*>(p); }, &out};
  REQUIRE(cudaGraphAddHostNode(&host, g.graph, nullptr, 0, &call) == cudaSuccess);
  REQUIRE(cudaGraphAddMemcpyNode1D(&copy, g.graph, nullptr, 0, &out, a.data, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  cudaGraphNode_t kernel = g.add_kernel();
  const cudaMemsetParams zero = {a.data, 0, 0x40000000, 4, 4, 1};  // 2.0f
  REQUIRE(cudaGraphAddMemsetNode(&fill, g.graph, nullptr, 0, &zero) == cudaSuccess);
  REQUIRE(cudaGraphAddEmptyNode(&empty, g.graph, nullptr, 0) == cudaSuccess);
  const cudaGraphNode_t from[] = {empty, fill, kernel, copy}, to[] = {fill, kernel, copy, host};
  REQUIRE(cudaGraphAddDependencies(g.graph, from, to, 4) == cudaSuccess);
  g.launch();
  CHECK(seen == 3.0f);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CHECK(cudaGraphNodeGetType(fill, &type) == cudaSuccess);
  CHECK(type == cudaGraphNodeTypeMemset);
  std::size_t roots = 0;
  CHECK(cudaGraphGetRootNodes(g.graph, nullptr, &roots) == cudaSuccess);
  CHECK(roots == 1);
}

TEST_CASE("Graph.RefusesACycle") {
  FindingLog log;
  Floats a(4);
  Built g(a.data);
  const cudaGraphNode_t first = g.add_kernel();
  const cudaGraphNode_t second = g.add_kernel({first});
  cudaGraphAddDependencies(g.graph, &second, &first, 1);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, g.graph) == cudaErrorInvalidValue);
  CHECK(log.take_headline() == "the graph's dependencies form a cycle");
}

TEST_CASE("Graph.ArgumentsAreThoseOfTheTimeOfAdding") {
  FindingLog log;
  Floats a(4);
  Built g(a.data);
  g.value = 5.0f;
  g.add_kernel();
  g.value = 100.0f;
  g.launch();
  CHECK(a.first() == 5.0f);
}

TEST_CASE("GraphExec.KernelParametersCanBeReplaced") {
  FindingLog log;
  Floats a(4);
  Built g(a.data);
  const cudaGraphNode_t node = g.add_kernel();
  g.launch();
  g.value = 10.0f;
  const cudaKernelNodeParams p = g.parameters();
  CHECK(cudaGraphExecKernelNodeSetParams(g.exec, node, &p) == cudaSuccess);
  g.launch();
  CHECK(a.first() == 11.0f);
}

TEST_CASE("GraphExec.ACapturedLaunchKeepsItsArgumentsWhenItsShapeChanges") {
  FindingLog log;
  Floats a(8);
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  OFFGRID_TEST_LAUNCH(1, 4, 0, stream, add_value(a.data, 1.0f, 8));
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphNode_t node = nullptr;
  std::size_t one = 1;
  cudaGraphGetNodes(graph, &node, &one);
  cudaKernelNodeParams p{};
  REQUIRE(cudaGraphKernelNodeGetParams(node, &p) == cudaSuccess);
  CHECK(p.blockDim.x == 4);
  p.gridDim = dim3(2);
  CHECK(cudaGraphKernelNodeSetParams(node, &p) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiate(&exec, graph);
  cudaGraphLaunch(exec, stream);
  CHECK(read_back(a.data, 8).back() == 1.0f);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

TEST_CASE("GraphExec.UpdateTakesSameShapedGraphsOnly") {
  FindingLog log;
  Floats a(4);
  Built first(a.data), second(a.data), longer(a.data);
  first.add_kernel();
  first.launch();
  second.value = 7.0f;
  second.add_kernel();
  cudaGraphExecUpdateResultInfo info{};
  CHECK(cudaGraphExecUpdate(first.exec, second.graph, &info) == cudaSuccess);
  first.launch();
  CHECK(a.first() == 8.0f);
  longer.add_kernel({longer.add_kernel()});
  CHECK(cudaGraphExecUpdate(first.exec, longer.graph, &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
}

TEST_CASE("Graph.CloneAndChildAreCopies") {
  FindingLog log;
  Floats a(4);
  Built inner(a.data), outer(a.data);
  inner.add_kernel();
  cudaGraphNode_t child = nullptr;
  REQUIRE(cudaGraphAddChildGraphNode(&child, outer.graph, nullptr, 0, inner.graph) == cudaSuccess);
  cudaGraph_t copy = nullptr;
  REQUIRE(cudaGraphClone(&copy, outer.graph) == cudaSuccess);
  inner.add_kernel();  // not seen by the copies
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, copy) == cudaSuccess);
  cudaGraphDestroy(copy);
  cudaGraphLaunch(exec, nullptr);
  CHECK(a.first() == 1.0f);
  cudaGraphExecDestroy(exec);
}

TEST_CASE("Graph.BadArgumentsGiveErrorCodes") {
  FindingLog log;
  Floats a(4);
  Built g(a.data), other(a.data);
  const cudaGraphNode_t foreign = other.add_kernel();
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddEmptyNode(&node, g.graph, &foreign, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphAddMemcpyNode1D(&node, g.graph, nullptr, 0, a.data, a.data, 17, cudaMemcpyDeviceToDevice) ==
        cudaErrorInvalidValue);
  CHECK(log.take_headline().find("destination of cudaGraphAddMemcpyNode1D runs 1 byte past") == 0);
  CHECK(cudaGraphAddKernelNode(&node, g.graph, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecKernelNodeSetParams(nullptr, foreign, nullptr) == cudaErrorInvalidValue);
}
