/// Launching kernels: what a launch is, the trace of launches, and the entry that rewritten kernels call.
#pragma once

#include <offgrid/emu/device/index.h>
#include <offgrid/emu/source_line.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace offgrid::emu {

struct ArgumentType;

/// What compiled kernels and the library must agree on: the layout of every structure that inlined collectives and
/// enter_kernel touch (Lane, Warp, Block, ThreadState, Context, KernelDescriptor, ArgumentType, KernelCall,
/// PendingEntry). One more whenever one of them changes. KernelDescriptor keeps abi and pretty_name where they are, so
/// that a kernel of other headers can be named.
inline constexpr std::uint32_t kKernelAbi = 5;

/// One kernel instance, as the runtime and a compiler pass see it.
///
/// lane_fn runs one lane to its end; the closure is never modified while the block runs. A pass may fill block_fn,
/// which then runs a whole block; the engine looks at it per launch.
struct KernelDescriptor {
  std::uint32_t abi = kKernelAbi;
  void (*lane_fn)(const void* closure) = nullptr;
  void (*block_fn)(const void* closure, unsigned dim_x, unsigned dim_y, unsigned dim_z) = nullptr;
  std::uint64_t flags = 0;
  const char* pretty_name = "";  ///< __PRETTY_FUNCTION__ of the kernel; kernel_name() shortens it
  SourceLine where = {};         ///< of the definition
  int max_threads = 0;           ///< from __launch_bounds__; 0: none
  int min_blocks = 0;
  // Function attributes, set by the host API.
  std::size_t max_dynamic_shared = 0;  ///< opt-in bytes; 0: the profile's default limit
  int preferred_carveout = -1;
  std::size_t static_shared = 0;  ///< bytes of static shared memory, known after the first launch
  // Clusters. Zeros: the launch says.
  unsigned cluster[3] = {0, 0, 0};    ///< blocks along x, y, z, from __cluster_dims__ or a function attribute
  bool cluster_is_declared = false;   ///< by __cluster_dims__
  bool cluster_must_be_set = false;   ///< every launch has to say
  bool non_portable_cluster = false;  ///< clusters of more than 8 blocks are allowed
  int max_cluster_blocks = 0;         ///< from __launch_bounds__; 0: none
  int cluster_scheduling = 0;         ///< a preference; no effect
  // The closure's arguments; kernel_arguments() reads them.
  const char* parameters = "";  ///< KernelSource::parameters
  const ArgumentType* argument_types = nullptr;
  std::uint32_t arguments = 0;
};

/// "mla_decode<bf16, 576>" from "void mla_decode(const T*) [T = bf16, K = 576]" (clang) or "[with T = bf16; ...]"
/// (g++).
std::string kernel_name(const KernelDescriptor& kernel);

struct LaunchConfig {
  dim3 grid, block;
  std::size_t dynamic_shared = 0;  ///< bytes
  void* stream = nullptr;          ///< a host-API stream; null is the default stream
  bool cooperative = false;
  SourceLine where;          ///< the line of the launch
  dim3 cluster = {0, 0, 0};  ///< blocks of a cluster; zeros: the launch does not say
};

/// A kernel with its configuration and its own copy of the arguments, ready to run any number of times.
struct KernelCall {
  KernelDescriptor* kernel = nullptr;
  LaunchConfig config;
  std::shared_ptr<const void> closure;
};

/// How a launch ended.
enum class LaunchError {
  kNone,
  kInvalidConfiguration,  ///< cudaErrorInvalidConfiguration: dimensions
  kInvalidValue,          ///< cudaErrorInvalidValue: dynamic shared memory above the limit, and the like
  kOutOfResources,        ///< cudaErrorLaunchOutOfResources: __launch_bounds__, registers
  kCooperativeTooLarge,   ///< cudaErrorCooperativeLaunchTooLarge
  kInvalidClusterSize,    ///< cudaErrorInvalidClusterSize: clusters that the device or the grid cannot have
  kIllegalAddress,        ///< cudaErrorIllegalAddress
  kMisaligned,            ///< cudaErrorMisalignedAddress
  kAssert,                ///< cudaErrorAssert
  kIllegalInstruction,    ///< cudaErrorIllegalInstruction
  kTrap,                  ///< cudaErrorLaunchFailure
  kTimeout,               ///< cudaErrorLaunchTimeout: deadlock, livelock
  kNotSupported,          ///< cudaErrorNotSupported
};

/// Runs the call now, to its end. Findings go to the engine's sink. Never throws.
LaunchError run_kernel(const KernelCall& call);

/// One line of the launch trace.
struct LaunchRecord {
  std::uint64_t number = 0;  ///< from 1
  std::string kernel;
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::size_t dynamic_shared = 0;
  int stream = 0;
  LaunchError error = LaunchError::kNone;
};

/// Starts (and clears) or stops keeping the trace; off by default, so that long runs do not grow.
void set_launch_trace(bool on);
std::vector<LaunchRecord> launch_trace();

/// A stream's number in traces and reports: 0 for the default stream, then in order of first use.
int stream_number(void* stream);

/// Who receives a finished KernelCall: by default the engine runs it at once; the host API captures it into a graph
/// when its stream is being captured. Returns the launch's error.
using SubmitFunction = LaunchError (*)(KernelCall call);
SubmitFunction set_submit(SubmitFunction function);
LaunchError submit_kernel(KernelCall call);

/// The error of launches since the last call, then cleared; what cudaGetLastError reads.
LaunchError take_launch_error();
LaunchError peek_launch_error();

// ---- What rewritten text calls ------------------------------------------------------------------------------------

/// `k<<<grid, block, shared, stream>>>(args)` is rewritten to `(configure_launch({file, line}, grid, block, ...),
/// k(args))`.
void configure_launch(SourceLine where, dim3 grid, dim3 block, std::size_t dynamic_shared = 0, void* stream = nullptr);

struct KernelSource {
  const char* pretty_name;
  SourceLine where;
  int max_threads = 0, min_blocks = 0;
  const char* parameters = "";  ///< names: "win,out,rest..."; an unnamed one is empty, a pack ends with dots
  int cluster[3] = {0, 0, 0};   ///< from __cluster_dims__; -1 in front: its parentheses were empty
  int max_cluster_blocks = 0;   ///< from __launch_bounds__
};

namespace detail {

/// What the next entry into a kernel function is for. Set by configure_launch, make_call and identify_kernel.
struct PendingEntry {
  enum class Mode { kNone, kLaunch, kIdentify, kFromArguments } mode = Mode::kNone;
  LaunchConfig config;
  void** arguments = nullptr;
  KernelDescriptor* kernel = nullptr;  // result of kIdentify
  KernelCall call;                     // result of kFromArguments
};
PendingEntry& pending_entry();

/// Reports a kernel function that was called without <<<...>>>, or from inside a kernel.
void report_plain_call(const KernelSource& source);

}  // namespace detail

/// The descriptor behind a kernel function's address, or null if the address is not a kernel's. The function is entered
/// with unspecified arguments; a kernel's first action is to look at the pending entry, before it touches them.
KernelDescriptor* identify_kernel(const void* function);

/// Builds a call from an array of pointers to arguments, as cudaLaunchKernel gets them. kernel is null if `function` is
/// not a kernel.
KernelCall make_call(const void* function, const LaunchConfig& config, void** arguments);

}  // namespace offgrid::emu
