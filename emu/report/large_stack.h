/// Runs work that needs more stack than a lane has.
#pragma once

#include <system_error>
#include <thread>
#include <utility>

namespace offgrid::emu {

/// Calls `work` on a fresh OS thread and waits for it: findings are added on a lane's small stack, but demanglers and
/// readers of debug information use tens of kilobytes. Runs `work` in place if no thread can be had.
template <class Work>
void on_large_stack(Work&& work) {
  std::thread worker;
  try {
    worker = std::thread([&work] { work(); });
  } catch (const std::system_error&) {
    work();
    return;
  }
  worker.join();
}

}  // namespace offgrid::emu
