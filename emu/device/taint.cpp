#include "device/taint.h"

#include <cstring>

#include "check/context.h"
#include "check/metadata.h"

namespace offgrid::emu {

void Taint::add(const Marked& mark) {
  if (mark.shadow == 0 || is_undefined()) return;
  mark_ = {~std::uint64_t{0}, mark.origin};
}

void Taint::add_argument(unsigned n, std::size_t bytes) {
  const std::uint64_t kept = bytes < 8 ? (std::uint64_t{1} << 8 * bytes) - 1 : ~std::uint64_t{0};
  add({check::argument_shadow(n) & kept, check::argument_origin(n)});
}

void Taint::add_memory(const void* begin, std::size_t bytes) {
  std::size_t offset = 0;
  if (!check::metadata.offset_of(reinterpret_cast<std::uintptr_t>(begin), offset)) return;
  for (std::size_t i = offset; i < offset + bytes; ++i) add({check::metadata.shadow[i], check::metadata.origin[i / 4]});
}

void Taint::set_argument(unsigned n) const {
  std::memcpy(check::context().parameters + 8 * n, &mark_.shadow, 8);
  check::context().parameter_origins[2 * n] = mark_.origin;
}

void Taint::set_result() const { check::set_result(mark_.shadow, mark_.origin); }

void Taint::wrote(void* begin, std::size_t bytes) const {
  check::mark_defined(begin, bytes);
  std::size_t offset = 0;
  if (!is_undefined() || !check::metadata.offset_of(reinterpret_cast<std::uintptr_t>(begin), offset)) return;
  std::memset(check::metadata.shadow + offset, 0xFF, bytes);
  for (std::size_t word = offset / 4; word <= (offset + bytes - 1) / 4; ++word) check::metadata.origin[word] = origin();
}

}  // namespace offgrid::emu

extern "C" std::uint64_t offgrid_tainted(std::uint64_t result, std::uint64_t) noexcept {
  using namespace offgrid::emu;
  const std::uint64_t own = check::argument_shadow(0), operands = check::argument_shadow(1);
  check::set_result(operands ? ~std::uint64_t{0} : own, check::argument_origin(operands ? 1 : 0));
  return result;
}
