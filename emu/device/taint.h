/// What the library's own functions do for undefined operands: kernels that are compiled for checked mode hand over the
/// marks of arguments and take those of results (check/context.h), and the library's code is not instrumented.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/observer.h"

namespace offgrid::emu {

/// Collects operands. The first undefined one says where the undefined bits of the result come from.
class Taint {
 public:
  /// The nth argument of the function that a kernel has just called. Before anything else is called.
  void add_argument(unsigned n, std::size_t bytes);
  void add(const Marked& mark);
  void add(const Taint& other) { add(other.mark_); }
  /// Bytes in memory of the lane.
  void add_memory(const void* begin, std::size_t bytes);

  /// For the nth argument of instrumented code that the library is about to call.
  void set_argument(unsigned n) const;

  bool is_undefined() const { return mark_.shadow != 0; }
  std::uint32_t origin() const { return mark_.origin; }

  /// For the value that the function is about to return: wholly undefined, or as defined as it is.
  void set_result() const;
  /// The function has written these bytes of the lane's.
  void wrote(void* begin, std::size_t bytes) const;

 private:
  Marked mark_;
};

}  // namespace offgrid::emu
