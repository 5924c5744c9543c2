// Findings that a lane itself makes, and the ways a kernel ends its launch: assert, trap, abort.
#include <offgrid/emu/engine/trap.h>
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "engine/state.h"

namespace offgrid::emu {
namespace {

Finding lane_finding(FindingId id, std::string headline, SourceLine where, std::uintptr_t caller) {
  Finding finding;
  finding.id = id;
  finding.headline = std::move(headline);
  finding.sites.push_back({"at", where, where.file ? 0 : caller, ""});
  if (offgrid_tls.lane) finding.place = place_of(*offgrid_tls.lane);
  return finding;
}

LaunchError error_of(FindingId id) {
  switch (id) {
    case FindingId::kDeviceAssert:
      return LaunchError::kAssert;
    case FindingId::kUnsupported:
      return LaunchError::kNotSupported;
    default:
      return LaunchError::kTrap;
  }
}

[[noreturn]] void end_launch(Finding finding) {
  const FindingId id = finding.id;
  finding_sink().add(std::move(finding));
  if (!offgrid_tls.lane) std::abort();
  offgrid_tls.block->launch->fail(error_of(id));
  return_to_worker(Return::kAborted);
}

}  // namespace

void lane_report(FindingId id, std::string headline, SourceLine where) {
  finding_sink().add(
      lane_finding(id, std::move(headline), where, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1));
}

void lane_trap(FindingId id, std::string headline, SourceLine where) {
  end_launch(
      lane_finding(id, std::move(headline), where, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1));
}

}  // namespace offgrid::emu

// assert() of <cassert> calls this name; in a kernel a failed assertion ends the launch, on the host the process.
extern "C" [[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line,
                                           const char* function) noexcept {
  using namespace offgrid::emu;
  if (offgrid_tls.lane) {
    lane_trap(FindingId::kDeviceAssert, "assertion `" + std::string(expression) + "` failed", {file, line});
  }
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
  std::abort();
}

// In a kernel abort() ends the launch. On the host, and where a handler of SIGABRT asks for it, it ends the process as
// the C library's does.
extern "C" void abort() noexcept {
  using namespace offgrid::emu;
  if (offgrid_tls.lane) {
    Finding finding = lane_finding(FindingId::kDeviceTrap, "the kernel called abort()", {},
                                   reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1);
    end_launch(std::move(finding));
  }
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGABRT);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  raise(SIGABRT);
  signal(SIGABRT, SIG_DFL);
  raise(SIGABRT);
  _exit(127);
}
