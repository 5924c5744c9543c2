#include "ptx/checks.h"

#include "check/access.h"
#include "check/in_flight.h"
#include "check/records.h"
#include "check/sync.h"
#include "check/undefined.h"
#include "engine/state.h"

namespace offgrid::emu::ptx {
namespace {

check::Access access_of(const Machine& m, const void* address, std::size_t bytes, check::AccessKind kind) {
  return {reinterpret_cast<std::uintptr_t>(address), bytes, kind, m.pc, offgrid_tls.lane};
}

void note_atomic(const Machine& m, const void* address, std::size_t bytes, AtomicKind kind, AtomicScope scope) {
  check::note_atomic(*offgrid_tls.lane, reinterpret_cast<std::uintptr_t>(address), kind, scope);
  check::check_range(access_of(m, address, bytes, check::atomic_kind(scope)));
}

/// What the memory holds. The access is checked here, unless it is part of an atomic operation.
Marked memory_mark(const Machine& m, const void* address, std::size_t bytes, bool is_atomic) {
  check::WarpChecks& checks = check::checks_of(*offgrid_tls.lane);
  checks.inside_atomic = is_atomic;
  const check::Marks marks = check::check_access(access_of(m, address, bytes, check::AccessKind::kRead));
  checks.inside_atomic = false;
  const auto* shadow = static_cast<const unsigned char*>(marks.shadow);
  for (std::size_t i = 0; i < bytes; ++i) {
    if (!shadow[i]) continue;
    if (check::is_in_flight(*marks.origin)) check::report_read_in_flight(*marks.origin, m.pc);
    return {shadow[i], *marks.origin};
  }
  return {};
}

}  // namespace

void use(Machine& m) {
  if (m.seen.is_undefined()) check::report_use(m.seen.origin(), m.pc);
  m.seen = {};
}

void check_load(Machine& m, const void* address, std::size_t bytes, std::optional<AtomicScope> scope) {
  if (!m.is_checked()) return;
  if (scope) {
    note_atomic(m, address, bytes, AtomicKind::kLoad, *scope);
    m.seen.add(memory_mark(m, address, bytes, true));
  } else {
    m.seen.add(memory_mark(m, address, bytes, false));
  }
}

void check_store(Machine& m, void* address, std::size_t bytes, std::optional<AtomicScope> scope) {
  if (!m.is_checked()) return;
  if (scope) {
    note_atomic(m, address, bytes, AtomicKind::kStore, *scope);
  } else {
    check::check_access(access_of(m, address, bytes, check::AccessKind::kWrite));
  }
  m.seen.wrote(address, bytes);
}

void check_atomic(Machine& m, void* address, std::size_t bytes, AtomicScope scope) {
  if (!m.is_checked()) return;
  note_atomic(m, address, bytes, AtomicKind::kReadModifyWrite, scope);
  Taint old;
  old.add(memory_mark(m, address, bytes, true));
  m.seen.add(old);
  m.seen.wrote(address, bytes);
  m.seen = old;
}

void shuffle_taint(Machine& m, LaneMask mask, unsigned source) {
  if (!m.is_checked()) return;
  constexpr std::uint64_t kNothing = ~std::uint64_t{0};  // what a lane that takes no part gives
  const std::uint64_t mine = m.seen.is_undefined() ? m.seen.origin() : kNothing;
  const std::uint64_t theirs = offgrid_shuffle(mask, mine, source, m.where.file, static_cast<int>(m.where.line));
  m.seen = {};
  if (theirs != kNothing) m.seen.add({~std::uint64_t{0}, static_cast<std::uint32_t>(theirs)});
}

}  // namespace offgrid::emu::ptx
