/// Order and scope of memory operations: .relaxed, .acquire, .release, .acq_rel; .cta, .cluster, .gpu, .sys.
#pragma once

#include <offgrid/emu/engine/checked.h>
#include <offgrid/emu/engine/collectives.h>

#include "ptx/machine.h"
#include "ptx/mnemonics.h"

namespace offgrid::emu::ptx {

/// Takes the words of order and scope; true if one of them says that the operation is no plain access.
inline bool read_memory_order(Instruction& i, Modifiers& m) {
  bool is_strong = false;
  for (const char* word : {"volatile", "relaxed", "acquire", "mmio"}) is_strong |= m.take(word);
  for (const char* word : {"release", "acq_rel"}) i.flags.releases |= m.take(word);
  if (m.take("cta")) i.flags.scope = AtomicScope::kBlock;
  if (m.take("cluster")) i.flags.scope = AtomicScope::kCluster;
  for (const char* word : {"weak", "gpu", "sys"}) m.take(word);
  return is_strong || i.flags.releases;
}

/// Before an operation that releases: a fence.
inline void release(const Machine& m, const Instruction& i) {
  if (!i.flags.releases) return;
  offgrid_fence(i.flags.scope);
  if (m.is_checked()) checked_fence(i.flags.scope);
}

}  // namespace offgrid::emu::ptx
