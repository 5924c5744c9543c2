// Executable graphs: frozen copies of a graph's operations, run in order as often as wanted.
#include <utility>

#include "host/copies.h"
#include "host/graph.h"
#include "host/handles.h"
#include "host/kernels.h"
#include "host/streams.h"

using namespace offgrid::emu::host;

namespace {

cudaError_t dead_handle(const ApiCall& api, const char* what) {
  return api.misuse(cudaErrorInvalidValue,
                    {std::string(what) + " of " + api.name() + " was destroyed or never created", {}, "", nullptr});
}

std::vector<std::size_t> indices(const std::vector<cudaGraphNode_t>& nodes) {
  std::vector<std::size_t> result;
  for (cudaGraphNode_t node : nodes) result.push_back(node->index);
  return result;
}

cudaError_t instantiate(const ApiCall& api, cudaGraphExec_t* exec, cudaGraph_t graph) {
  if (!is_alive(graph)) return dead_handle(api, "graph");
  if (exec == nullptr) return api.done(cudaErrorInvalidValue);
  auto made = std::make_unique<CUgraphExec_st>();
  made->order = execution_order(*graph);
  if (made->order.size() != graph->nodes.size()) {
    return api.misuse(cudaErrorInvalidValue, {"the graph's dependencies form a cycle", {}, "", nullptr});
  }
  for (const auto& node : graph->nodes) {
    made->nodes.push_back({node.get(), indices(node->after)});
    made->operations.push_back(node->operation);
  }
  made->memory = graph->memory;
  *exec = HandleSet<CUgraphExec_st>::instance().add(made.release());
  return cudaSuccess;
}

/// The frozen operation of a node, if it is of type T.
template <class T>
T* operation_of(cudaGraphExec_t exec, cudaGraphNode_t node) {
  if (!is_alive(exec) || node == nullptr) return nullptr;
  for (std::size_t i = 0; i < exec->nodes.size(); ++i) {
    if (exec->nodes[i].origin == node) return std::get_if<T>(&exec->operations[i]);
  }
  return nullptr;
}

template <class T>
cudaError_t replace(const ApiCall& api, cudaGraphExec_t exec, cudaGraphNode_t node, const T& value) {
  T* operation = operation_of<T>(exec, node);
  if (operation == nullptr) return api.done(cudaErrorInvalidValue);
  if (const cudaError_t error = check(api, value); error != cudaSuccess) return error;
  *operation = value;
  return cudaSuccess;
}

struct Difference {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  cudaGraphNode_t node = nullptr;
};

Difference compare(const CUgraphExec_st& exec, const CUgraph_st& graph) {
  if (exec.nodes.size() != graph.nodes.size()) return {cudaGraphExecUpdateErrorTopologyChanged, nullptr};
  for (const auto& node : graph.nodes) {
    if (exec.operations[node->index].index() != node->operation.index()) {
      return {cudaGraphExecUpdateErrorNodeTypeChanged, node.get()};
    }
    if (exec.nodes[node->index].after != indices(node->after)) {
      return {cudaGraphExecUpdateErrorTopologyChanged, node.get()};
    }
  }
  return {};
}

}  // namespace

extern "C" {

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  OFFGRID_API_CALL("GraphInstantiate");
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) return api.done(cudaErrorNotSupported);
  return instantiate(api, exec, graph);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  OFFGRID_API_CALL("GraphInstantiateWithParams");
  if (parameters == nullptr) return api.done(cudaErrorInvalidValue);
  const cudaError_t error = instantiate(api, exec, graph);
  parameters->errNode_out = nullptr;
  parameters->result_out = error == cudaSuccess ? 0 : 1;
  return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  OFFGRID_API_CALL("GraphLaunch");
  if (!is_alive(exec)) return dead_handle(api, "executable graph");
  auto sequence = std::make_shared<Sequence>();
  for (const std::size_t i : exec->order) {
    sequence->operations.push_back(exec->operations[i]);
    if (Launch* launch = std::get_if<Launch>(&sequence->operations.back())) launch->call.config.stream = stream;
  }
  std::vector<std::vector<std::size_t>> after;
  for (const ExecNode& node : exec->nodes) after.push_back(node.after);
  sequence->after = branches_of(after, exec->order);
  return issue(api, stream, std::shared_ptr<const Sequence>(std::move(sequence)));
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  OFFGRID_API_CALL("GraphUpload");
  if (!is_alive(exec)) return dead_handle(api, "executable graph");
  cudaError_t error = cudaSuccess;
  resolve_or_report(api, stream, &error);
  return error;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  OFFGRID_API_CALL("GraphExecDestroy");
  if (!HandleSet<CUgraphExec_st>::instance().remove(exec)) return dead_handle(api, "executable graph");
  delete exec;
  return cudaSuccess;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  OFFGRID_API_CALL("GraphExecKernelNodeSetParams");
  Launch* launch = operation_of<Launch>(exec, node);
  if (launch == nullptr) return api.done(cudaErrorInvalidValue);
  return launch_from(api, parameters, launch, launch);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from,
                                               size_t bytes, cudaMemcpyKind kind) {
  OFFGRID_API_CALL("GraphExecMemcpyNodeSetParams1D");
  return replace(api, exec, node, plain_copy(to, from, bytes, kind));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  OFFGRID_API_CALL("GraphExecMemsetNodeSetParams");
  if (parameters == nullptr) return api.done(cudaErrorInvalidValue);
  return replace(api, exec, node, fill_from(*parameters));
}

}  // extern "C"

namespace offgrid::emu::host {

cudaError_t instantiate_with_log(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log,
                                 size_t log_bytes) {
  OFFGRID_API_CALL("GraphInstantiate");
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes != 0) *log = '\0';
  return instantiate(api, exec, graph);
}

cudaError_t update_exec(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
  OFFGRID_API_CALL("GraphExecUpdate");
  if (!is_alive(exec)) return dead_handle(api, "executable graph");
  if (!is_alive(graph)) return dead_handle(api, "graph");
  const Difference difference = compare(*exec, *graph);
  if (info != nullptr) *info = {difference.result, difference.node, nullptr};
  if (difference.result != cudaGraphExecUpdateSuccess) return api.done(cudaErrorGraphExecUpdateFailure);
  for (const auto& node : graph->nodes) exec->operations[node->index] = node->operation;
  return cudaSuccess;
}

cudaError_t update_exec(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                        cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = update_exec(exec, graph, &info);
  if (error_node != nullptr) *error_node = info.errorNode;
  if (result != nullptr) *result = info.result;
  return error;
}

}  // namespace offgrid::emu::host
