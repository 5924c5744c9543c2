// The graph itself: order, sequences, clones.
#include "host/graph.h"

#include <algorithm>
#include <utility>

#include "host/handles.h"

using namespace offgrid::emu::host;

CUgraph_st::~CUgraph_st() {
  for (const auto& node : nodes) HandleSet<CUgraphNode_st>::instance().remove(node.get());
}

namespace offgrid::emu::host {

bool GraphMemory::owns(const void* pointer) const {
  return std::find(pointers_.begin(), pointers_.end(), pointer) != pointers_.end();
}

std::vector<std::size_t> execution_order(const CUgraph_st& graph) {
  const std::size_t count = graph.nodes.size();
  std::vector<char> done(count, 0);
  std::vector<std::size_t> order;
  const auto ready = [&](const CUgraphNode_st& node) {
    return std::all_of(node.after.begin(), node.after.end(), [&](cudaGraphNode_t n) { return done[n->index] != 0; });
  };
  // Most graphs are created in an order that can be run: one pass then takes all nodes.
  while (order.size() < count) {
    const std::size_t before = order.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (done[i] != 0 || !ready(*graph.nodes[i])) continue;
      done[i] = 1;
      order.push_back(i);
    }
    if (order.size() == before) return {};
  }
  return order;
}

std::vector<std::vector<std::size_t>> branches_of(const std::vector<std::vector<std::size_t>>& after,
                                                  const std::vector<std::size_t>& order) {
  constexpr std::size_t kMost = 64;
  if (order.size() > kMost) return {};
  std::vector<std::size_t> place(after.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::vector<std::vector<std::size_t>> result(order.size());
  bool is_chain = true;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::size_t before : after[order[i]]) result[i].push_back(place[before]);
    is_chain = is_chain && (i == 0 || std::find(result[i].begin(), result[i].end(), i - 1) != result[i].end());
  }
  if (is_chain) return {};
  return result;
}

std::shared_ptr<const Sequence> sequence_of(const CUgraph_st& graph) {
  auto sequence = std::make_shared<Sequence>();
  const std::vector<std::size_t> order = execution_order(graph);
  for (const std::size_t i : order) sequence->operations.push_back(graph.nodes[i]->operation);
  std::vector<std::vector<std::size_t>> after(graph.nodes.size());
  for (const auto& node : graph.nodes) {
    for (cudaGraphNode_t before : node->after) after[node->index].push_back(before->index);
  }
  sequence->after = branches_of(after, order);
  return sequence;
}

cudaGraphNode_t add_node(CUgraph_st& graph, Operation operation, std::vector<cudaGraphNode_t> after) {
  auto node = std::make_unique<CUgraphNode_st>();
  node->graph = &graph;
  node->index = graph.nodes.size();
  node->operation = std::move(operation);
  node->after = std::move(after);
  graph.nodes.push_back(std::move(node));
  return HandleSet<CUgraphNode_st>::instance().add(graph.nodes.back().get());
}

std::unique_ptr<CUgraph_st> clone(const CUgraph_st& graph) {
  auto copy = std::make_unique<CUgraph_st>();
  copy->memory = graph.memory;
  for (const auto& node : graph.nodes) add_node(*copy, node->operation, {});
  for (const auto& node : graph.nodes) {
    for (cudaGraphNode_t before : node->after) {
      copy->nodes[node->index]->after.push_back(copy->nodes[before->index].get());
    }
  }
  return copy;
}

}  // namespace offgrid::emu::host
