// The compiler's extent check rounds a local array up to its alignment, so an index just behind a small array passes
// it. -fsanitize=array-bounds tells of each index that the array does not have, before it is used; the access that uses
// it follows at once, on the same source line. Only if that access goes to the lane's own stack is it a finding: rows
// of shared and global arrays may be walked across on purpose.
#include "check/local_arrays.h"

#include <offgrid/emu/engine.h>

#include "check/book.h"
#include "check/context.h"
#include "report/source_resolver.h"

namespace offgrid::emu::check {

__thread bool index_is_noted;

namespace {

struct NotedIndex {
  const Lane* lane = nullptr;
  std::uintptr_t pc = 0;
  long long index = 0;
  const char* type = "";
};
thread_local NotedIndex noted;

/// Both places in one line of one function. Without line tables: close to each other.
bool same_line(std::uintptr_t a, std::uintptr_t b) {
  const std::vector<CodeFrame> first = resolve_code(a - 1);
  const std::vector<CodeFrame> second = resolve_code(b - 1);
  if (first.empty() || second.empty() || first.front().file.empty()) return b - a < 512;
  return first.front().file == second.front().file && first.front().line == second.front().line;
}

}  // namespace

void note_index(std::uintptr_t pc, long long index, const char* type) {
  noted = {offgrid_tls.lane, pc, index, type};
  index_is_noted = noted.lane != nullptr;
}

void check_local_index(const Access& access) {
  if (noted.lane != access.lane) return;
  index_is_noted = false;
  bool is_new = false;
  if (book().known({FindingId::kOutOfBounds, access.pc, 0}) == nullptr && !same_line(noted.pc, access.pc)) return;
  BookEntry& entry = book().at({FindingId::kOutOfBounds, access.pc, 0}, is_new);
  if (!is_new) return;
  Finding& f = entry.finding;
  const char* role = access.kind == AccessKind::kRead ? "read" : "write";
  f.id = FindingId::kOutOfBounds;
  f.headline = std::string(role) + " of index " + std::to_string(noted.index) + " of the local array " + noted.type;
  f.sites.push_back({role, {}, access.pc - 1, ""});
  f.notes.push_back("the array's memory is rounded up, so nothing else is hit here; on a device it may be");
  f.help = "check the index against the array's extent";
  f.place = place_of(*access.lane);
}

}  // namespace offgrid::emu::check

// The compiler's own layout. Weak: a program that brings the compiler's own runtime keeps that.
namespace {

struct TypeDescriptor {
  std::uint16_t kind, info;  // kind 0: an integer; info: log2 of its bits, doubled, plus 1 if it is signed
  char name[1];
};
struct OutOfBounds {
  const char* file;
  std::uint32_t line, column;
  const TypeDescriptor* array;
  const TypeDescriptor* index;
};

long long index_value(const TypeDescriptor& type, std::uintptr_t value) {
  const unsigned bits = 1u << (type.info >> 1);
  if (type.kind != 0 || (type.info & 1) == 0 || bits >= 64) return static_cast<long long>(value);
  const unsigned unused = 64 - bits;
  return static_cast<long long>(value << unused) >> unused;
}

}  // namespace

extern "C" __attribute__((weak)) void __ubsan_handle_out_of_bounds(const OutOfBounds* data, std::uintptr_t index) {
  if (!offgrid_tls.lane) return;
  offgrid::emu::check::note_index(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)),
                                  index_value(*data->index, index), data->array->name);
}
