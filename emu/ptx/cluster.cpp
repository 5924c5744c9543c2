// Clusters of blocks: their barrier, addresses of other blocks' shared memory, and what a lane knows of its cluster.
#include "ptx/cluster.h"

#include <offgrid/emu/device/cluster.h>

#include "ptx/checks.h"
#include "ptx/machine.h"

namespace offgrid::emu::ptx {
namespace {

void arrive(Machine& m, const Instruction& i) {
  const ClusterArrival arrival{i.flags.variant != 'x', i.flags.combine == 'a'};
  cluster_arrive(arrival, m.where.file, static_cast<int>(m.where.line));
}
void wait(Machine& m, const Instruction&) { cluster_wait(m.where.file, static_cast<int>(m.where.line)); }

/// `mapa d, a, rank`: the place of `a` in the shared memory of the block with that rank.
void* mapped(Machine& m, const Instruction& i, const void* pointer) {
  const auto rank = read<std::uint32_t>(m, i.operands[2]);
  use(m);
  return map_shared_rank(pointer, rank, m.where.file, static_cast<int>(m.where.line));
}
void map_generic(Machine& m, const Instruction& i) {
  const void* pointer = reinterpret_cast<const void*>(read<std::uint64_t>(m, i.operands[1]));
  write(m, i.operands[0], reinterpret_cast<std::uint64_t>(mapped(m, i, pointer)));
}
void map_shared(Machine& m, const Instruction& i) {
  const void* pointer = shared_pointer(read<std::uint32_t>(m, i.operands[1]));
  write(m, i.operands[0], std::uint64_t{shared_address(mapped(m, i, pointer))});
}
Handler choose_mapa(Instruction& i, Modifiers& m) {
  const bool shared = m.take("shared::cluster");
  i.type = m.take_type();
  if (i.operands.size() != 3 || (i.type != Type::kU32 && i.type != Type::kU64)) return nullptr;
  if (shared) return &map_shared;
  return i.type == Type::kU64 ? &map_generic : nullptr;
}

void rank_of_generic(Machine& m, const Instruction& i) {
  const auto* pointer = reinterpret_cast<const void*>(read<std::uint64_t>(m, i.operands[1]));
  write(m, i.operands[0], std::uint64_t{shared_rank_of(pointer)});
}
void rank_of_shared(Machine& m, const Instruction& i) {
  const void* pointer = shared_pointer(read<std::uint32_t>(m, i.operands[1]));
  write(m, i.operands[0], std::uint64_t{shared_rank_of(pointer)});
}
Handler choose_rank(Instruction& i, Modifiers& m) {
  const bool shared = m.take("shared::cluster");
  i.type = m.take_type();
  if (i.operands.size() != 2 || (i.type != Type::kU32 && i.type != Type::kU64)) return nullptr;
  return shared ? &rank_of_shared : &rank_of_generic;
}

std::uint64_t component(const dim3& d, int axis) { return axis == 0 ? d.x : axis == 1 ? d.y : d.z; }

}  // namespace

Handler choose_cluster_barrier(Instruction& i, Modifiers& m) {
  i.flags.combine = m.take("aligned") ? 'a' : 0;
  if (!i.operands.empty()) return nullptr;
  if (m.take("wait")) {
    m.take("acquire");
    return &wait;
  }
  i.flags.variant = m.take("relaxed") ? 'x' : 0;
  m.take("release");
  return m.take("arrive") ? &arrive : nullptr;
}

std::uint64_t cluster_block_index(int axis) { return component(__clusterRelativeBlockIdx(), axis); }
std::uint64_t cluster_block_count(int axis) { return component(__clusterDim(), axis); }
std::uint64_t cluster_index(int axis) { return component(__clusterIdx(), axis); }
std::uint64_t cluster_count(int axis) { return component(__clusterGridDimInClusters(), axis); }

std::vector<MnemonicRow> cluster_mnemonics() { return {{"mapa", choose_mapa}, {"getctarank", choose_rank}}; }

}  // namespace offgrid::emu::ptx
