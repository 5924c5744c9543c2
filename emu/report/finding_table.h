/// One row per kind of finding: its name, its usual severity and its usual help. Adding a kind is adding a row.
#pragma once

#include <offgrid/emu/report.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

namespace offgrid::emu {

inline constexpr FindingInfo kFindings[] = {
    {FindingId::kLaunchConfig, "launch-config", Severity::kError,
     "launch kernels as kernel<<<grid, block>>>(...), within the limits that cudaGetDeviceProperties gives"},
    {FindingId::kDeadlock, "deadlock", Severity::kError,
     "every lane that a barrier or warp operation waits for must reach it; move it out of the branch"},
    {FindingId::kBarrierDivergence, "barrier-divergence", Severity::kError,
     "all threads of a block must reach the same __syncthreads() equally often; move it out of the branch or loop"},
    {FindingId::kEarlyExit, "early-exit", Severity::kWarning,
     "guard the work instead of returning, so that every thread reaches the barrier"},
    {FindingId::kCollectiveMismatch, "collective-mismatch", Severity::kError,
     "all lanes named by a mask must execute the same operation; compute the mask in the branch that uses it"},
    {FindingId::kMaskMismatch, "mask-mismatch", Severity::kError,
     "give the same mask in every lane that the mask names, for instance from one __ballot_sync before the branch"},
    {FindingId::kLaneNotInMask, "lane-not-in-mask", Severity::kError,
     "a lane may only use a mask that holds its own bit; guard the call with that bit or widen the mask"},
    {FindingId::kInvalidShuffle, "invalid-shuffle", Severity::kError,
     "read only from lanes that exist, are alive and execute the same shuffle; the value is undefined otherwise"},
    {FindingId::kIllegalAddress, "illegal-address", Severity::kError,
     "the pointer does not belong to device memory; check that it is not a host pointer or an overflowed index"},
    {FindingId::kOutOfBounds, "oob", Severity::kError, "check the index against the size of the allocation"},
    {FindingId::kUseAfterFree, "use-after-free", Severity::kError,
     "free the memory after the last launch that uses it has finished"},
    {FindingId::kExitedBlock, "exited-block", Severity::kError,
     "shared memory is gone when its block has returned: a barrier of the cluster behind the last access of any block"},
    {FindingId::kNullPointer, "null-pointer", Severity::kError,
     "check the result of the allocation and the order of the kernel's arguments"},
    {FindingId::kWriteToReadOnly, "write-to-read-only", Severity::kError,
     "this buffer is an input of the launch; write to an output buffer"},
    {FindingId::kStackOverflow, "stack-overflow", Severity::kError,
     "bound the recursion, or move large local arrays to shared or global memory"},
    {FindingId::kIntegerDivision, "integer-division", Severity::kError, "guard the divisor"},
    {FindingId::kIllegalInstruction, "illegal-instruction", Severity::kError,
     "the compiler found this path undefined, often a missing return or an unreachable case"},
    {FindingId::kDeviceAssert, "device-assert", Severity::kError, ""},
    {FindingId::kDeviceTrap, "device-trap", Severity::kError, ""},
    {FindingId::kUnsupported, "unsupported", Severity::kError,
     "the emulator's README lists what is modelled; guard this path with #ifndef __OFFGRID__"},
    {FindingId::kLivelock, "livelock", Severity::kError,
     "the waited-for store must come from a lane that can run: an earlier or resident block, another branch"},
    {FindingId::kSharedOverflow, "shared-overflow", Severity::kError,
     "check the index against the array's extent; on a GPU this silently changes the next shared variable"},
    {FindingId::kHostApiMisuse, "host-api-misuse", Severity::kError, ""},
    {FindingId::kException, "exception", Severity::kError, "device code cannot throw; trap or return an error code"},
    {FindingId::kNanCreated, "nan-created", Severity::kError, "guard the operands before the operation"},
    {FindingId::kHalfOverflow, "fp16-overflow", Severity::kWarning,
     "scale the value first, accumulate in float, or use bfloat16"},
    {FindingId::kMisaligned, "misaligned-access", Severity::kError,
     "the device faults here: align the pointer, or copy the bytes one by one"},
    {FindingId::kUninitialised, "uninit-read", Severity::kError,
     "loading such a value is fine, using it is not; note that 0 * NaN is NaN"},
    {FindingId::kRaceShared, "race-shared", Severity::kError, "order the two lines with a barrier"},
    {FindingId::kRaceGlobal, "race-global", Severity::kError, "order the two lines, or make both accesses atomic"},
    {FindingId::kRaceSameValue, "race-same-value", Severity::kWarning,
     "usually harmless; one lane can do it, or a comment can say why it is meant"},
    {FindingId::kScheduleDependent, "schedule-dependent-result", Severity::kWarning,
     "let one block add the partial results in a fixed order, or accumulate in integers or a wider type"},
    {FindingId::kMissingFence, "missing-fence", Severity::kError,
     "a __threadfence() right after the lock is taken, and one before it is released"},
    {FindingId::kRestrictAlias, "restrict-alias", Severity::kWarning,
     "give the kernel two arrays, or declare the pointers without __restrict__"},
    {FindingId::kOutputUnwritten, "output-unwritten", Severity::kNote,
     "check the guard and the index of the store; fill the output first if the gap is meant"},
};

/// True if row i describes kind i, for all kinds.
constexpr bool finding_table_is_complete() {
  if (std::size(kFindings) != static_cast<std::size_t>(FindingId::kCount)) return false;
  for (std::size_t i = 0; i < std::size(kFindings); ++i) {
    if (static_cast<std::size_t>(kFindings[i].id) != i || kFindings[i].kind.empty()) return false;
  }
  return true;
}
static_assert(finding_table_is_complete(), "one row per FindingId, in the order of the enumeration");

/// What to do: the finding's own help, or the table's; may be empty.
std::string help_text(const Finding& finding);

/// A name that a finding can have in a report; a row whose name is completed by the direction gives several.
struct KindName {
  std::string name;
  const FindingInfo* info;
};

/// Every name that kind_name can give.
std::vector<KindName> all_kind_names();

}  // namespace offgrid::emu
