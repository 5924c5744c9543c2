#include "engine/stale_reads.h"

#include "memory/window.h"

namespace offgrid::emu {

void StaleReads::access(const ResidentBlock& block, std::uintptr_t address, unsigned bytes, bool writes) {
  if (bytes > kMaxBytes || !window().in_heap(address)) return;
  auto* memory = reinterpret_cast<unsigned char*>(address);
  const auto known = writes_.find(address);
  const bool is_hidden = known != writes_.end() && known->second.epoch == epochs_[known->second.block];
  if (writes) {
    if (is_hidden && known->second.block == block.linear_index && known->second.bytes >= bytes) return;
    Write& write = writes_[address];
    write = {block.linear_index, epochs_[block.linear_index], bytes, {}};
    std::memcpy(write.before, memory, bytes);
    return;
  }
  if (!is_hidden || known->second.block == block.linear_index || known->second.bytes < bytes) return;
  if (!policy_.reads_stale()) return;
  changed_ = memory;
  changed_bytes_ = bytes;
  std::memcpy(newest_, memory, bytes);
  std::memcpy(memory, known->second.before, bytes);
}

void StaleReads::put_back() {
  std::memcpy(changed_, newest_, changed_bytes_);
  changed_ = nullptr;
}

}  // namespace offgrid::emu
