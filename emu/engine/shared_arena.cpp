#include "engine/shared_arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "memory/window.h"

namespace offgrid::emu {
namespace {

// A file of 0xFF bytes, mapped copy-on-write: poison that costs nothing until it is written to.
int poison_file(std::size_t bytes) {
  static const int fd = [bytes] {
    const int file = memfd_create("offgrid-shared-poison", MFD_CLOEXEC);
    if (file < 0) return -1;
    const std::vector<unsigned char> ones(bytes, 0xFF);
    return write(file, ones.data(), bytes) == static_cast<ssize_t>(bytes) ? file : -1;
  }();
  return fd;
}

}  // namespace

SharedArena::~SharedArena() {
  if (base_) give_to_window(base_, kBytes);
}

bool SharedArena::map() {
  if (base_) return true;
  const int file = poison_file(kStatic);
  void* p = take_from_window(kBytes);
  if (file < 0 || !p) return false;
  base_ = static_cast<unsigned char*>(p);
  const auto poison = [&](unsigned char* at, std::size_t bytes) {
    return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED;
  };
  return poison(statics(), kStatic) && poison(statics() + kStatic + kGuard, kDynamic);
}

void SharedArena::poison_statics(std::size_t bytes) {
  if (bytes) std::memset(statics(), 0xFF, bytes);
}

unsigned char* SharedArena::dynamic(std::size_t bytes) const {
  const std::size_t rounded = (bytes + 15) & ~std::size_t{15};
  const std::size_t zone = is_checked_program() ? std::min(kDynamicZone, kDynamic - rounded) : 0;
  return base_ + kGuard + kStatic + kGuard + kDynamic - zone - rounded;
}

void SharedArena::poison_dynamic(std::size_t bytes) {
  const std::size_t rounded = (bytes + 15) & ~std::size_t{15};
  if (rounded) std::memset(dynamic(bytes), 0xFF, rounded);
}

}  // namespace offgrid::emu
