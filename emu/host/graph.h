/// Graphs: nodes with the operation each one freezes, and their dependencies.
#pragma once

#include <memory>
#include <vector>

#include "host/operation.h"

namespace offgrid::emu::host {

/// Memory that was allocated while its graph was captured; lives as long as the graph or an executable form of it.
class GraphMemory {
 public:
  GraphMemory() = default;
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  ~GraphMemory() {
    for (void* pointer : pointers_) DeviceMemory::instance().free(pointer);
  }
  void add(void* pointer) { pointers_.push_back(pointer); }
  bool owns(const void* pointer) const;

 private:
  std::vector<void*> pointers_;
};

/// One node of an executable graph. `after` are indices into the nodes of the graph it came from.
struct ExecNode {
  cudaGraphNode_t origin = nullptr;  ///< a key only: the node may be gone
  std::vector<std::size_t> after;
};

/// Indices of the graph's nodes in an order that respects dependencies, the order of creation where it is free.
/// Empty if there is a cycle (and the graph is not empty).
std::vector<std::size_t> execution_order(const CUgraph_st& graph);

/// What the operations of a sequence wait for, if `after` are the nodes' dependencies and `order` is the sequence's.
/// Empty if each waits for the one before, and if there are too many to follow them.
std::vector<std::vector<std::size_t>> branches_of(const std::vector<std::vector<std::size_t>>& after,
                                                  const std::vector<std::size_t>& order);

std::shared_ptr<const Sequence> sequence_of(const CUgraph_st& graph);

/// Adds a node after the given ones, which belong to the graph.
cudaGraphNode_t add_node(CUgraph_st& graph, Operation operation, std::vector<cudaGraphNode_t> after);

/// Copies nodes, dependencies and the share in the memory.
std::unique_ptr<CUgraph_st> clone(const CUgraph_st& graph);

}  // namespace offgrid::emu::host

struct CUgraphNode_st {
  CUgraph_st* graph = nullptr;
  std::size_t index = 0;  ///< in CUgraph_st::nodes
  offgrid::emu::host::Operation operation;
  std::vector<cudaGraphNode_t> after;
};

struct CUgraph_st {
  CUgraph_st() = default;
  CUgraph_st(const CUgraph_st&) = delete;
  CUgraph_st& operator=(const CUgraph_st&) = delete;
  ~CUgraph_st();

  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::shared_ptr<offgrid::emu::host::GraphMemory> memory = std::make_shared<offgrid::emu::host::GraphMemory>();
};

struct CUgraphExec_st {
  std::vector<offgrid::emu::host::ExecNode> nodes;        ///< in the order of the graph's nodes
  std::vector<offgrid::emu::host::Operation> operations;  ///< parallel to nodes
  std::vector<std::size_t> order;                         ///< indices in execution order
  std::shared_ptr<offgrid::emu::host::GraphMemory> memory;
};
