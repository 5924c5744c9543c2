// What -fsanitize=alignment makes kernels call when a pointer is not aligned for the type that is accessed through it.
// Weak: a program that brings the compiler's own runtime keeps that.
#include <offgrid/emu/device/vector_access.h>

#include <string>
#include <string_view>

#include "check/access.h"
#include "check/bounds.h"
#include "check/regions.h"
#include "engine/kernel_arguments.h"

using namespace offgrid::emu;
using namespace offgrid::emu::check;

namespace {

/// "'const float4'" from "'const float4' (aka ...)" (clang) or "'const struct float4'" (g++).
std::string usual_name(std::string_view quoted) {
  quoted = quoted.substr(1, quoted.find('\'', 1) - 1);
  std::string qualifiers;
  for (bool more = true; more;) {
    more = false;
    for (const std::string_view word : {"const ", "volatile ", "struct ", "class ", "union "}) {
      if (quoted.rfind(word, 0) != 0) continue;
      if (word == "const " || word == "volatile ") qualifiers += word;
      quoted.remove_prefix(word.size());
      more = true;
    }
  }
  return "'" + qualifiers + type_name(quoted) + "'";
}

// The compiler's own layout.
struct TypeDescriptor {
  std::uint16_t kind, info;
  char name[1];  // "'float4' (aka ...)"
};
struct TypeMismatch {
  const char* file;
  std::uint32_t line, column;
  const TypeDescriptor* type;
  unsigned char log_alignment, what;  // 0: load, 1: store
};

}  // namespace

namespace offgrid::emu {

namespace {

/// "'float4'" from a signature that ends in "[T = float4]" (clang) or "[with T = float4]" (g++).
std::string type_in(std::string_view function) {
  const std::size_t at = function.rfind("T = ");
  if (at == function.npos) return "a vector";
  function.remove_prefix(at + 4);
  return "'" + type_name(function.substr(0, function.find_first_of("];"))) + "'";
}

}  // namespace

void checked_misaligned(const volatile void* address, std::size_t alignment, bool write,
                        const char* function) noexcept {
  Lane* lane = offgrid_tls.lane;
  const auto p = reinterpret_cast<std::uintptr_t>(address);
  if (!lane || p < 4096) return;  // a null pointer is told as such when it is used
  Access access;
  access.address = p;
  access.bytes = alignment;
  access.kind = write ? AccessKind::kWrite : AccessKind::kRead;
  access.pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  access.lane = lane;
  report_misaligned(access, find_region(*checks_of(*lane).block->block, p), alignment, type_in(function).c_str());
}

}  // namespace offgrid::emu

extern "C" __attribute__((weak)) void __ubsan_handle_type_mismatch_v1(const TypeMismatch* mismatch, std::uintptr_t p) {
  Lane* lane = offgrid_tls.lane;
  const std::size_t alignment = std::size_t{1} << mismatch->log_alignment;
  if (!lane || p == 0 || p % alignment == 0) return;
  Access access;
  access.address = p;
  access.bytes = alignment;
  access.kind = mismatch->what == 1 ? AccessKind::kWrite : AccessKind::kRead;
  access.pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  access.lane = lane;
  report_misaligned(access, find_region(*checks_of(*lane).block->block, p), alignment,
                    usual_name(mismatch->type->name).c_str());
}
