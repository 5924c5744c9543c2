/// What a check reports. Checks and the engine write findings; only report/ turns them into text.
#pragma once

#include <offgrid/emu/source_line.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace offgrid::emu {

/// Every kind of finding. The name in a report and the default help come from the table in report/finding_table.cpp.
enum class FindingId {
  kLaunchConfig,        ///< the device would refuse this launch
  kDeadlock,            ///< live lanes, none can run
  kBarrierDivergence,   ///< lanes of one block wait at different block barriers, or some at none
  kEarlyExit,           ///< lanes returned before a block barrier that the rest of the block takes
  kCollectiveMismatch,  ///< lanes named by one mask execute different warp operations
  kMaskMismatch,        ///< lanes of one warp operation gave different masks
  kLaneNotInMask,       ///< the calling lane is missing from its own mask
  kInvalidShuffle,      ///< a value was read from a lane that does not exist, has exited or takes no part
  kIllegalAddress,      ///< access outside every allocation
  kOutOfBounds,         ///< access just outside an allocation (into its guard page or slack)
  kUseAfterFree,        ///< access to freed device memory
  kExitedBlock,         ///< access to shared memory of a block of the cluster that has returned, or may have
  kNullPointer,         ///< access to the first page of the address space
  kWriteToReadOnly,     ///< write to memory that is read-only during the launch
  kStackOverflow,       ///< a lane ran over its stack
  kIntegerDivision,     ///< integer division by zero (or overflow) that the CPU trapped
  kIllegalInstruction,  ///< the CPU trapped on the instruction itself
  kDeviceAssert,        ///< assert() failed in a kernel
  kDeviceTrap,          ///< __trap() or abort() in a kernel
  kUnsupported,         ///< an operation that the emulator does not model was executed
  kLivelock,            ///< lanes keep running without any progress
  kSharedOverflow,      ///< red zone of a shared array overwritten (seen at block end)
  kHostApiMisuse,       ///< double free, bad pointer, wrong copy size in a host call
  kException,           ///< a C++ exception left a kernel
  kNanCreated,          ///< an operation made NaN of numbers, and the NaN reached an output
  kHalfOverflow,        ///< a finite number became infinite in a 16-bit format
  kMisaligned,          ///< access at an address that is no multiple of its size
  kUninitialised,       ///< memory or a variable that nobody had set was read, and the value mattered
  kRaceShared,          ///< two unordered accesses to shared memory, one of them a write
  kRaceGlobal,          ///< the same in global memory
  kRaceSameValue,       ///< two unordered writes that store the same value
  kScheduleDependent,   ///< the result depends on the order of blocks or warps, without a race
  kMissingFence,        ///< a lock is taken, and no fence keeps what it protects behind that
  kRestrictAlias,       ///< pointers declared `__restrict__` that point to the same memory
  kOutputUnwritten,     ///< the host copies elements that no kernel wrote, between others that one did
  kCount
};

enum class Severity { kNote, kWarning, kError };

struct Index3 {
  unsigned x = 0, y = 0, z = 0;
};

/// Where in a launch something happened.
struct LaunchPlace {
  std::string kernel;      ///< "mla_decode<bf16, 576, 512>"; empty outside a kernel
  Index3 grid, block_dim;  ///< launch shape, in blocks and threads
  Index3 block, thread;    ///< the lane; meaningful if has_lane (block also if has_block)
  bool has_lane = false;
  bool has_block = false;  ///< the finding concerns one block, but no single lane
  int warp = 0, lane = 0;
  std::uint64_t launch_number = 0;  ///< from 1, in launch order of the process
  int stream = 0;                   ///< 0 is the default stream
};

/// A source line that takes part in a finding, with its role: "wait", "exit", "read", "write", "launch", "allocated".
struct FindingSite {
  std::string role;
  SourceLine where;                       ///< known at compile time, or
  std::uintptr_t pc = 0;                  ///< a code address that report/ resolves to file, line and inlined frames
  std::string detail;                     ///< "warps 0..2, threads 0..95"
  std::vector<std::uintptr_t> callers{};  ///< return addresses less 1 of the calls that led to pc, innermost first
  std::string value{};                    ///< "saw 0.7310", "0.7310 -> 0.2040"; the last column where sites are listed
};

/// Elements of one buffer that a finding concerns, so that the repeats folded into it can be named: a[40], then
/// a[41..63] become a[40..63].
struct ElementRange {
  std::string buffer;               ///< "scale"; "allocation #3": names have no spaces
  long long first = 0, last = 0;    ///< inclusive; negative in front of the buffer
  std::string valid{};              ///< which there are: "0..39"; may be empty
  std::vector<unsigned> extents{};  ///< of an array declared with several, outermost first; elements count row by row
};

/// One thing found. The first line of its report is: severity[kind]: headline.
struct Finding {
  FindingId id = FindingId::kCount;
  Severity severity = Severity::kError;
  std::string headline;            ///< stands alone: what, and which buffer or variable
  std::vector<FindingSite> sites;  ///< sites[0] is the main one
  LaunchPlace place;
  std::vector<std::string> notes;  ///< "= ..." lines, in order
  std::string help;                ///< empty: the table's default for this kind
  std::uint64_t folded = 0;        ///< how many further findings of the same kind and line were folded into this one
  std::optional<ElementRange> element{};  ///< the elements concerned, those of the folded ones included
};

/// Receives findings. Thread-safe. See report.h for the one that prints and counts.
class FindingSink {
 public:
  virtual ~FindingSink() = default;
  virtual void add(Finding finding) = 0;
};

}  // namespace offgrid::emu
