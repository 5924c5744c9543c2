// cudaGraphXxx: building graphs and asking about them.
#include <algorithm>
#include <utility>

#include "host/copies.h"
#include "host/graph.h"
#include "host/handles.h"
#include "host/kernels.h"

using namespace offgrid::emu::host;

namespace {

constexpr cudaGraphNodeType kTypes[] = {cudaGraphNodeTypeEmpty,  cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,
                                        cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost,   cudaGraphNodeTypeGraph};
static_assert(std::size(kTypes) == std::variant_size_v<Operation>);

cudaError_t dead_graph(const ApiCall& api) {
  return api.misuse(cudaErrorInvalidValue,
                    {"graph of " + api.name() + " was destroyed or never created", {}, "", nullptr});
}

/// Checks what all cudaGraphAddXxxNode have in common, then adds the node.
cudaError_t add(const ApiCall& api, cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                size_t count, Operation operation) {
  if (!is_alive(graph)) return dead_graph(api);
  if (node == nullptr || (after == nullptr && count != 0)) return api.done(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    if (!is_alive(after[i]) || after[i]->graph != graph) return api.done(cudaErrorInvalidValue);
  }
  if (const cudaError_t error = check(api, operation); error != cudaSuccess) return error;
  *node = add_node(*graph, std::move(operation), std::vector<cudaGraphNode_t>(after, after + count));
  return cudaSuccess;
}

/// Fills an array of which the caller may ask the size first, by giving none.
cudaError_t give(const ApiCall& api, const std::vector<cudaGraphNode_t>& all, cudaGraphNode_t* out, size_t* count) {
  if (count == nullptr) return api.done(cudaErrorInvalidValue);
  if (out != nullptr) {
    for (size_t i = 0; i < *count; ++i) out[i] = i < all.size() ? all[i] : nullptr;
    *count = std::min(*count, all.size());
  } else {
    *count = all.size();
  }
  return cudaSuccess;
}

template <class Keep>
std::vector<cudaGraphNode_t> nodes_of(const CUgraph_st& graph, Keep keep) {
  std::vector<cudaGraphNode_t> nodes;
  for (const auto& node : graph.nodes) {
    if (keep(*node)) nodes.push_back(node.get());
  }
  return nodes;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  OFFGRID_API_CALL("GraphCreate");
  if (graph == nullptr || flags != 0) return api.done(cudaErrorInvalidValue);
  *graph = HandleSet<CUgraph_st>::instance().add(new CUgraph_st);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  OFFGRID_API_CALL("GraphDestroy");
  if (!HandleSet<CUgraph_st>::instance().remove(graph)) return dead_graph(api);
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t graph) {
  OFFGRID_API_CALL("GraphClone");
  if (!is_alive(graph)) return dead_graph(api);
  if (copy == nullptr) return api.done(cudaErrorInvalidValue);
  *copy = HandleSet<CUgraph_st>::instance().add(clone(*graph).release());
  return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  OFFGRID_API_CALL("GraphAddKernelNode");
  Launch launch;
  const cudaError_t error = launch_from(api, parameters, nullptr, &launch);
  return error != cudaSuccess ? error : add(api, node, graph, after, count, std::move(launch));
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  OFFGRID_API_CALL("GraphAddMemcpyNode");
  Copy copy;
  const cudaError_t error = copy_from(api, parameters, &copy);
  return error != cudaSuccess ? error : add(api, node, graph, after, count, copy);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  OFFGRID_API_CALL("GraphAddMemcpyNode1D");
  return add(api, node, graph, after, count, plain_copy(to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaMemsetParams* parameters) {
  OFFGRID_API_CALL("GraphAddMemsetNode");
  if (parameters == nullptr) return api.done(cudaErrorInvalidValue);
  return add(api, node, graph, after, count, fill_from(*parameters));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                 const cudaHostNodeParams* parameters) {
  OFFGRID_API_CALL("GraphAddHostNode");
  if (parameters == nullptr || parameters->fn == nullptr) return api.done(cudaErrorInvalidValue);
  const cudaHostNodeParams p = *parameters;
  return add(api, node, graph, after, count, HostCall{[p] { p.fn(p.userData); }});
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child) {
  OFFGRID_API_CALL("GraphAddChildGraphNode");
  if (!is_alive(child)) return dead_graph(api);
  return add(api, node, graph, after, count, sequence_of(*child));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count) {
  OFFGRID_API_CALL("GraphAddEmptyNode");
  return add(api, node, graph, after, count, Empty{});
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  OFFGRID_API_CALL("GraphGetNodes");
  if (!is_alive(graph)) return dead_graph(api);
  return give(api, nodes_of(*graph, [](const CUgraphNode_st&) { return true; }), nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  OFFGRID_API_CALL("GraphGetRootNodes");
  if (!is_alive(graph)) return dead_graph(api);
  return give(api, nodes_of(*graph, [](const CUgraphNode_st& node) { return node.after.empty(); }), nodes, count);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  OFFGRID_API_CALL("GraphNodeGetType");
  if (!is_alive(node) || type == nullptr) return api.done(cudaErrorInvalidValue);
  *type = kTypes[node->operation.index()];
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  OFFGRID_API_CALL("GraphKernelNodeGetParams");
  if (!is_alive(node) || parameters == nullptr) return api.done(cudaErrorInvalidValue);
  const Launch* launch = std::get_if<Launch>(&node->operation);
  if (launch == nullptr) return api.done(cudaErrorInvalidValue);
  *parameters = parameters_of(*launch);
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  OFFGRID_API_CALL("GraphKernelNodeSetParams");
  Launch* launch = is_alive(node) ? std::get_if<Launch>(&node->operation) : nullptr;
  if (launch == nullptr) return api.done(cudaErrorInvalidValue);
  return launch_from(api, parameters, launch, launch);
}

}  // extern "C"

namespace offgrid::emu::host {

cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count) {
  OFFGRID_API_CALL("GraphAddDependencies");
  if (!is_alive(graph)) return dead_graph(api);
  if (count != 0 && (from == nullptr || to == nullptr)) return api.done(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    if (!is_alive(from[i]) || !is_alive(to[i]) || from[i]->graph != graph || to[i]->graph != graph) {
      return api.done(cudaErrorInvalidValue);
    }
  }
  for (size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
  return cudaSuccess;
}

cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  OFFGRID_API_CALL("GraphGetEdges");
  if (!is_alive(graph)) return dead_graph(api);
  std::vector<cudaGraphNode_t> sources, targets;
  for (const auto& node : graph->nodes) {
    for (cudaGraphNode_t before : node->after) {
      sources.push_back(before);
      targets.push_back(node.get());
    }
  }
  if (count == nullptr || (from == nullptr) != (to == nullptr)) return api.done(cudaErrorInvalidValue);
  size_t room = *count;
  if (to != nullptr) give(api, targets, to, &room);
  return give(api, sources, from, count);
}

cudaError_t get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, size_t* count) {
  OFFGRID_API_CALL("GraphNodeGetDependencies");
  if (!is_alive(node)) return api.done(cudaErrorInvalidValue);
  return give(api, node->after, dependencies, count);
}

}  // namespace offgrid::emu::host
