// Entering kernel functions for other reasons than a launch: to learn who they are, or to give them an argument array.
#include <offgrid/emu/engine/trap.h>
#include <offgrid/emu/kernel_entry.h>

namespace offgrid::emu {
namespace detail {

PendingEntry& pending_entry() {
  static thread_local PendingEntry pending;
  return pending;
}

void report_plain_call(const KernelSource& source) {
  KernelDescriptor named;
  named.pretty_name = source.pretty_name;
  std::string headline = "kernel " + kernel_name(named) + " is called like a function, without <<<grid, block>>>";
  offgrid_tls.lane ? lane_trap(FindingId::kLaunchConfig, std::move(headline), source.where)
                   : lane_report(FindingId::kLaunchConfig, std::move(headline), source.where);
}

}  // namespace detail

namespace {

using Mode = detail::PendingEntry::Mode;

// The function is called through a type it does not have. A kernel looks at the pending entry before it reads any
// argument, so what it finds in the argument registers does not matter; arguments passed in memory are never read, but
// the frame keeps room for them.
#if defined(__clang__)
__attribute__((noinline, no_sanitize("function", "address")))
#else
__attribute__((noinline, no_sanitize("address")))
#endif
void enter(const void* function) {
  unsigned char room[4096];
  asm volatile("" : : "r"(room) : "memory");
  reinterpret_cast<void (*)()>(const_cast<void*>(function))();
  asm volatile("" : : "r"(room) : "memory");  // still in use: the call is no tail call
}

}  // namespace

KernelDescriptor* identify_kernel(const void* function) {
  if (!function) return nullptr;
  detail::PendingEntry& pending = detail::pending_entry();
  const auto saved_config = pending.config;
  pending.mode = Mode::kIdentify;
  pending.kernel = nullptr;
  enter(function);
  pending.mode = Mode::kNone;
  pending.config = saved_config;
  return pending.kernel;
}

KernelCall make_call(const void* function, const LaunchConfig& config, void** arguments) {
  if (!function) return {};
  detail::PendingEntry& pending = detail::pending_entry();
  pending.mode = Mode::kFromArguments;
  pending.config = config;
  pending.arguments = arguments;
  pending.call = {};
  enter(function);
  pending.mode = Mode::kNone;
  return std::exchange(pending.call, {});
}

}  // namespace offgrid::emu
