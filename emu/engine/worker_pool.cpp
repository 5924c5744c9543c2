// The OS threads that run blocks. Started at the first launch that can use them, then parked between launches.
//
// Plain threads rather than OpenMP: user programs bring their own OpenMP runtime, Debian installs one libomp at a time,
// and the engine needs a signal stack and thread-local state for each thread.
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/state.h"

namespace offgrid::emu {
namespace {

class WorkerPool {
 public:
  static WorkerPool& instance() {
    static auto* pool = new WorkerPool;  // never destroyed: threads may outlive static destructors
    return *pool;
  }

  void run(LaunchState& launch) {
    forget_after_fork();
    while (workers_.size() < launch.workers) {
      workers_.push_back(std::make_unique<Worker>(engine_settings().stack_bytes));
      workers_.back()->index = static_cast<unsigned>(workers_.size() - 1);
    }
    if (launch.workers > 1) {
      const std::lock_guard lock(mutex_);
      while (threads_ + 1 < launch.workers) {
        const unsigned index = ++threads_;
        std::thread([this, index] { serve(index); }).detach();
      }
      launch_ = &launch;
      pending_ = launch.workers - 1;
      ++generation_;
      wake_.notify_all();
    }
    work_on_launch(*workers_[0], launch);
    if (launch.workers > 1) {
      std::unique_lock lock(mutex_);
      done_.wait(lock, [&] { return pending_ == 0; });
      launch_ = nullptr;
    }
  }

  void drop_workers() { workers_.clear(); }

 private:
  [[noreturn]] void serve(unsigned index) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return generation_ != seen && launch_ && index < launch_->workers; });
      seen = generation_;
      LaunchState& launch = *launch_;
      Worker& worker = *workers_[index];
      lock.unlock();
      work_on_launch(worker, launch);
      lock.lock();
      if (--pending_ == 0) done_.notify_one();
    }
  }

  // A forked child has no worker threads; it starts its own.
  void forget_after_fork() {
    if (process_ == getpid()) return;
    process_ = getpid();
    threads_ = 0;
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::vector<std::unique_ptr<Worker>> workers_;
  unsigned threads_ = 0;  // beside the calling one
  unsigned pending_ = 0;
  std::uint64_t generation_ = 0;
  LaunchState* launch_ = nullptr;
  pid_t process_ = getpid();
};

}  // namespace

void run_on_workers(LaunchState& launch) { WorkerPool::instance().run(launch); }

void drop_idle_workers() { WorkerPool::instance().drop_workers(); }

}  // namespace offgrid::emu
