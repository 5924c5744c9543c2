// printf in kernels of checked mode (device/library_calls.h): printing an undefined value uses it.
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "check/context.h"
#include "check/undefined.h"
#include "engine/state.h"

namespace offgrid::emu {
namespace {

// Where clang puts the marks of variadic arguments: as va_arg finds the arguments themselves. Six words for integer
// registers, of which the format takes the first, eight places of 16 bytes for floating-point ones, then the stack.
#if defined(__x86_64__)
constexpr bool kMarksAreKnown = true;
#else
constexpr bool kMarksAreKnown = false;
#endif
constexpr std::size_t kIntegerEnd = 48, kFloatEnd = 176;

class VariadicMarks {
 public:
  /// The origin of the next argument if any of its bits is undefined, else nothing.
  const std::uint32_t* next_integer(std::size_t bytes) { return take(integer_, 8, kIntegerEnd, bytes); }
  const std::uint32_t* next_float() { return take(float_, 16, kFloatEnd, 8); }

 private:
  const std::uint32_t* take(std::size_t& at, std::size_t step, std::size_t end, std::size_t bytes) {
    std::size_t offset = at;
    if (at < end) {
      at += step;
    } else {
      offset = stack_;
      stack_ += 8;
    }
    if (offset + 8 > check::kSlotBytes) return nullptr;
    const auto& marks = check::context();
    for (std::size_t i = 0; i < bytes; ++i) {
      if (marks.variadic[offset + i]) {
        return reinterpret_cast<const std::uint32_t*>(marks.variadic_origins + offset);
      }
    }
    return nullptr;
  }

  std::size_t integer_ = 8, float_ = kIntegerEnd, stack_ = kFloatEnd;
};

void check_arguments(std::string_view format, std::uintptr_t pc) {
  VariadicMarks marks;
  const auto use = [&](const std::uint32_t* origin) {
    if (origin) check::report_use(*origin, pc);
  };
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    std::size_t bytes = 4;
    for (++i; i < format.size() && std::strchr("-+ #0123456789.*hlzjtqL", format[i]); ++i) {
      if (format[i] == '*') use(marks.next_integer(4));
      if (std::strchr("lzjtq", format[i])) bytes = 8;
    }
    if (i >= format.size() || format[i] == '%') continue;
    if (std::strchr("aAeEfFgG", format[i])) {
      use(marks.next_float());
    } else {
      use(marks.next_integer(std::strchr("sp", format[i]) ? 8 : bytes));
    }
  }
}

}  // namespace
}  // namespace offgrid::emu

extern "C" [[gnu::format(printf, 1, 2)]] int offgrid_checked_printf(const char* format, ...) {
  if (offgrid::emu::kMarksAreKnown && offgrid_tls.lane) {
    offgrid::emu::check_arguments(format, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
  }
  std::va_list arguments;
  va_start(arguments, format);
  const int written = std::vprintf(format, arguments);
  va_end(arguments);
  return written;
}
