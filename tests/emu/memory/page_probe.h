/// Asks the kernel, rather than a fault handler, whether a byte can be read or written.
#pragma once

#include <unistd.h>

#include <stdexcept>

namespace offgrid::test {

class PageProbe {
 public:
  PageProbe() {
    if (pipe(ends_) != 0) throw std::runtime_error("no pipe");
  }
  ~PageProbe() {
    close(ends_[0]);
    close(ends_[1]);
  }
  PageProbe(const PageProbe&) = delete;
  PageProbe& operator=(const PageProbe&) = delete;

  bool readable(const void* address) {
    char byte = 0;
    return write(ends_[1], address, 1) == 1 && read(ends_[0], &byte, 1) == 1;
  }
  /// Writes the byte back that is there; only for readable addresses.
  bool writable(void* address) {
    char byte = 0;
    if (write(ends_[1], address, 1) != 1) return false;
    if (read(ends_[0], address, 1) == 1) return true;
    if (read(ends_[0], &byte, 1) != 1) throw std::runtime_error("pipe lost a byte");
    return false;
  }

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace offgrid::test
