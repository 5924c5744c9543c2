// Ranges are checked against the allocations before a copy runs: a fault in the middle of host code would say much
// less.
#include "host/pointers.h"

#include <dlfcn.h>

#include <map>
#include <mutex>
#include <string>

namespace offgrid::emu::host {
namespace {

struct Range {
  std::size_t bytes;
  unsigned flags;
};

/// Disjoint ranges by start address.
class RangeMap {
 public:
  bool add(const void* pointer, Range range) {
    const std::lock_guard lock(mutex_);
    const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
    if (overlaps(begin, begin + range.bytes)) return false;
    ranges_[begin] = range;
    return true;
  }
  bool remove(const void* pointer) {
    const std::lock_guard lock(mutex_);
    return ranges_.erase(reinterpret_cast<std::uintptr_t>(pointer)) != 0;
  }
  int flags_at(const void* pointer) const {
    const std::lock_guard lock(mutex_);
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    auto it = ranges_.upper_bound(address);
    if (it == ranges_.begin()) return -1;
    --it;
    return address < it->first + it->second.bytes ? static_cast<int>(it->second.flags) : -1;
  }

 private:
  bool overlaps(std::uintptr_t begin, std::uintptr_t end) const {
    auto it = ranges_.lower_bound(begin);
    if (it != ranges_.end() && it->first < end) return true;
    return it != ranges_.begin() && (--it, it->first + it->second.bytes > begin);
  }
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, Range> ranges_;
};

RangeMap& symbols() {
  static RangeMap* map = new RangeMap;
  return *map;
}

RangeMap& registered() {
  static RangeMap* map = new RangeMap;
  return *map;
}

/// A variable of the program, which may be a `__device__` one: the emulator compiles those to ordinary variables.
bool is_static_storage(const void* pointer) {
  Dl_info info;
  return dladdr(pointer, &info) != 0;
}

std::string bytes_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

struct Access {
  const ApiCall& api;
  const void* pointer;
  std::size_t bytes;
  const char* role;

  std::string subject() const { return std::string(role) + " of " + api.name(); }
};

cudaError_t check_inside(const Access& access, const Allocation& a, Side side) {
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(access.pointer) - a.begin;
  if (access.bytes > a.bytes - offset) {
    return access.api.misuse(
        cudaErrorInvalidValue,
        {access.subject() + " runs " + bytes_text(access.bytes - (a.bytes - offset)) + " past the end of " + label(a),
         {"byte " + std::to_string(offset) + " and the " + bytes_text(access.bytes) + " from there; " + label(a) +
          " has " + bytes_text(a.bytes)},
         "check the size: it counts bytes, not elements",
         &a});
  }
  if (side != Side::kHost || a.kind != MemoryKind::kDevice) return cudaSuccess;
  return access.api.misuse(cudaErrorInvalidValue, {access.subject() + " is device memory where host memory belongs",
                                                   {"it lies in " + label(a)},
                                                   "check the order of destination and source, and the copy's kind",
                                                   &a});
}

cudaError_t check_outside(const Access& access, Side side) {
  if (access.pointer == nullptr) {
    return access.api.misuse(cudaErrorInvalidValue, {access.subject() + " is a null pointer", {}, "", nullptr});
  }
  if (side != Side::kDevice || is_symbol(access.pointer) || registered_flags(access.pointer) >= 0) return cudaSuccess;
  if (is_static_storage(access.pointer)) return cudaSuccess;
  return access.api.misuse(cudaErrorInvalidValue,
                           {access.subject() + " is ordinary host memory where device memory belongs",
                            {},
                            "check the order of destination and source, and the copy's kind",
                            nullptr});
}

}  // namespace

Side destination_side(cudaMemcpyKind kind) {
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) return Side::kDevice;
  return kind == cudaMemcpyDefault ? Side::kAny : Side::kHost;
}

Side source_side(cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice) return Side::kDevice;
  return kind == cudaMemcpyDefault ? Side::kAny : Side::kHost;
}

cudaError_t check_range(const ApiCall& api, const void* pointer, std::size_t bytes, Side side, const char* role) {
  const Access access{api, pointer, bytes, role};
  const AddressInfo info = DeviceMemory::instance().find(reinterpret_cast<std::uintptr_t>(pointer));
  switch (info.what) {
    case AddressClass::kInside:
      return check_inside(access, info.allocation, side);
    case AddressClass::kOutside:
      return check_outside(access, side);
    case AddressClass::kFreed:
      return api.misuse(cudaErrorInvalidValue, {access.subject() + " lies in freed " + label(info.allocation),
                                                {},
                                                "use the memory before it is freed",
                                                &info.allocation});
    case AddressClass::kAfter:
    case AddressClass::kBefore:
      return api.misuse(
          cudaErrorInvalidValue,
          {access.subject() + " lies just " +
               (info.what == AddressClass::kAfter ? "behind the end of " : "in front of ") + label(info.allocation),
           {},
           "",
           &info.allocation});
    case AddressClass::kUnallocated:
      break;
  }
  return api.misuse(cudaErrorInvalidValue,
                    {access.subject() + " is a device address that is not allocated", {}, "", nullptr});
}

void add_symbol(const void* symbol, std::size_t bytes) { symbols().add(symbol, {bytes, 0}); }
bool is_symbol(const void* pointer) { return symbols().flags_at(pointer) >= 0; }

bool add_registered(const void* pointer, std::size_t bytes, unsigned flags) {
  return registered().add(pointer, {bytes, flags});
}
bool remove_registered(const void* pointer) { return registered().remove(pointer); }
int registered_flags(const void* pointer) { return registered().flags_at(pointer); }

}  // namespace offgrid::emu::host
