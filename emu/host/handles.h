/// Which handles of a kind are alive, so that a stale one gives an error code and not a crash.
#pragma once

#include <mutex>
#include <unordered_set>

namespace offgrid::emu::host {

template <class T>
class HandleSet {
 public:
  static HandleSet& instance() {
    static HandleSet* set = new HandleSet;  // used until the very end of the process
    return *set;
  }
  T* add(T* handle) {
    const std::lock_guard lock(mutex_);
    handles_.insert(handle);
    return handle;
  }
  /// False if it was not alive.
  bool remove(T* handle) {
    const std::lock_guard lock(mutex_);
    return handles_.erase(handle) != 0;
  }
  bool contains(T* handle) const {
    const std::lock_guard lock(mutex_);
    return handles_.count(handle) != 0;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_set<T*> handles_;
};

template <class T>
bool is_alive(T* handle) {
  return HandleSet<T>::instance().contains(handle);
}

}  // namespace offgrid::emu::host
