// What -fsanitize=alignment makes kernels call when a pointer is not aligned for the type that is accessed through it.
// Weak: a program that brings the compiler's own runtime keeps that.
#include "check/access.h"
#include "check/bounds.h"
#include "check/regions.h"

using namespace offgrid::emu;
using namespace offgrid::emu::check;

namespace {

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
  report_misaligned(access, find_region(*checks_of(*lane).block->block, p), alignment, mismatch->type->name);
}
