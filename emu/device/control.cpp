#include <offgrid/emu/device/control.h>
#include <offgrid/emu/engine/trap.h>

#include <chrono>
#include <string>

namespace offgrid::emu {

void kernel_trap(const char* what, const char* file, int line) {
  lane_trap(FindingId::kDeviceTrap, std::string("the kernel executed ") + what, {file, static_cast<unsigned>(line)});
}

long long nanosecond_counter() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace offgrid::emu
