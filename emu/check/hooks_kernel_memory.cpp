// What clang's -fsanitize=kernel-memory makes kernels call: the place of the marks of each access, before a store and
// after a load, and what becomes of undefined values. The calls are the compiler's; the meaning is ours.
#include <cstring>

#include "check/access_fast.h"
#include "check/context.h"
#include "check/origins.h"
#include "check/start.h"
#include "check/undefined.h"

using namespace offgrid::emu;
using namespace offgrid::emu::check;

namespace {

std::uintptr_t address_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

Access range(const void* p, std::size_t bytes, AccessKind kind, void* pc) {
  return {address_of(p), bytes, kind, address_of(pc), offgrid_tls.lane};
}

}  // namespace

extern "C" {

void* __msan_get_context_state() {
  start();
  return &context();
}

#define OFFGRID_ACCESS_HOOKS(bytes)                                                      \
  Marks __msan_metadata_ptr_for_load_##bytes(void* p) {                                  \
    return access<bytes, false>(address_of(p), address_of(__builtin_return_address(0))); \
  }                                                                                      \
  Marks __msan_metadata_ptr_for_store_##bytes(void* p) {                                 \
    return access<bytes, true>(address_of(p), address_of(__builtin_return_address(0)));  \
  }
OFFGRID_ACCESS_HOOKS(1)
OFFGRID_ACCESS_HOOKS(2)
OFFGRID_ACCESS_HOOKS(4)
OFFGRID_ACCESS_HOOKS(8)
#undef OFFGRID_ACCESS_HOOKS

Marks __msan_metadata_ptr_for_load_n(void* p, std::size_t bytes) {
  if (bytes == 16) return access<16, false>(address_of(p), address_of(__builtin_return_address(0)));
  return check_access(range(p, bytes, AccessKind::kRead, __builtin_return_address(0)));
}
Marks __msan_metadata_ptr_for_store_n(void* p, std::size_t bytes) {
  if (bytes == 16) return access<16, true>(address_of(p), address_of(__builtin_return_address(0)));
  return check_access(range(p, bytes, AccessKind::kWrite, __builtin_return_address(0)));
}

void __msan_warning(std::uint32_t origin) { report_use(origin, address_of(__builtin_return_address(0))); }

std::uint32_t __msan_chain_origin(std::uint32_t origin) {
  const std::uintptr_t pc = address_of(__builtin_return_address(0));
  check_stored_back(origin, pc);
  return stored_origin(origin, pc);
}

void __msan_poison_alloca(void* p, std::size_t bytes, char* name) {
  std::size_t offset = 0;
  if (!offgrid_tls.lane || !metadata.offset_of(address_of(p), offset)) return;
  std::memset(metadata.shadow + offset, 0xFF, bytes);
  const OriginId origin = local_origin(name);
  std::uint32_t* words = metadata.origin + offset / 4;
  for (std::size_t i = 0; i < (bytes + 3) / 4; ++i) words[i] = origin;
}

void __msan_unpoison_alloca(void* p, std::size_t bytes) {
  std::size_t offset = 0;
  if (metadata.offset_of(address_of(p), offset)) std::memset(metadata.shadow + offset, 0, bytes);
}

void __msan_instrument_asm_store(const void* p, std::size_t bytes) { mark_defined(p, bytes); }

}  // extern "C"
