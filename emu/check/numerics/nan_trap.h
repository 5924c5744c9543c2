/// Catches the instruction that makes the first NaN: lanes of checked launches run with the processor's "invalid
/// operation" exception unmasked.
///
/// The signal handler notes operands and lane, lets the instruction run alone with the exception masked (one single
/// step), and puts the event's tag into the NaN it made. A NaN that the program throws away is thus never seen again:
/// compilers compute 0 / 0 ahead of a select. Nothing of this can end the program; after a number of exceptions the
/// rest of a block, of a launch, of the process runs masked, because each costs some microseconds.
///
/// x86-64 only. Elsewhere nothing is caught.
#pragma once

#include <cstdint>

namespace offgrid::emu {

struct LaunchState;

/// While one lives, and only while lanes run on this thread, the exception is unmasked.
class NanTrap {
 public:
  NanTrap(const LaunchState& launch, bool armed);
  ~NanTrap();
  NanTrap(const NanTrap&) = delete;
  NanTrap& operator=(const NanTrap&) = delete;

 private:
  std::uint32_t saved_ = 0;
  bool armed_ = false;
};

/// For the handlers of SIGFPE (of the code FPE_FLTINV) and SIGTRAP, with the ucontext_t. False: not of this trap's
/// making.
bool handle_invalid_operation(void* context);
bool handle_single_step(void* context);

}  // namespace offgrid::emu
