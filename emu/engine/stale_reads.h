/// Reads that see what was there before another block's write, which no fence has made visible: a device may do that, a
/// run on one thread never does by itself.
///
/// A fence by any lane of the writing block counts for all of that block's writes so far. That is more than the device
/// promises, so nothing is found where there is a fence at all; and no correct program sees old values. Checked
/// programs are left alone: their checks come after a load, and know of missing fences by themselves.
#pragma once

#include <offgrid/emu/schedule.h>

#include <cstring>
#include <unordered_map>

#include "engine/state.h"
#include "memory/window.h"

namespace offgrid::emu {

class StaleReads {
 public:
  explicit StaleReads(SchedulePolicy& policy)
      : policy_(policy), on_(policy.may_read_stale() && !is_checked_program()) {}

  bool is_on() const { return on_; }
  /// The block is about to access memory. A read may find old bytes there, until restore().
  void access(const ResidentBlock& block, std::uintptr_t address, unsigned bytes, bool writes);
  /// An atomic operation always works on the newest value.
  void forget(std::uintptr_t address) {
    if (on_) writes_.erase(address);
  }
  void fence(const ResidentBlock& block) { ++epochs_[block.linear_index]; }
  void clear() { writes_.clear(); }
  void restore() {
    if (changed_) put_back();
  }

 private:
  static constexpr unsigned kMaxBytes = 16;
  struct Write {
    std::uint64_t block = 0, epoch = 0;
    unsigned bytes = 0;
    unsigned char before[kMaxBytes];
  };
  void put_back();

  SchedulePolicy& policy_;
  bool on_;
  std::unordered_map<std::uintptr_t, Write> writes_;         ///< by address; those that no fence follows
  std::unordered_map<std::uint64_t, std::uint64_t> epochs_;  ///< of blocks: fences so far
  unsigned char* changed_ = nullptr;                         ///< holds old bytes now
  unsigned changed_bytes_ = 0;
  unsigned char newest_[kMaxBytes];
};

}  // namespace offgrid::emu
