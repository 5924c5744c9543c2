#include "check/volatile_places.h"

#include <offgrid/emu/engine/checked.h>

#include <filesystem>
#include <set>
#include <tuple>
#include <unordered_map>

#include "check/history.h"
#include "check/sync.h"
#include "report/source_excerpt.h"
#include "report/source_resolver.h"

namespace offgrid::emu::check {
namespace {

/// A line as `offgrid cc` lists it (emu/cli/cc/volatile_lines.cpp).
struct ListedLine {
  const char* file;
  unsigned line;
  bool writes;
};

using Line = std::tuple<std::string, unsigned, bool>;

std::set<Line>& lines() {
  static std::set<Line> all;
  return all;
}

std::unordered_map<std::uintptr_t, bool>& places() {
  static std::unordered_map<std::uintptr_t, bool> known;
  return known;
}

bool any = false;  // most programs have none

Line line_of(const std::string& file, unsigned line, bool writes) {
  return {std::filesystem::path(file).lexically_normal().string(), line, writes};
}

bool is_listed(std::uintptr_t pc, bool writes) {
  if (lines().empty()) return false;
  const CodeFrame frame = resolve_code(pc - 1).front();
  return lines().contains(line_of(frame.file, frame.line, writes));
}

/// True if the line is the condition of a loop: it waits for somebody's signal. Without its source a line is taken for
/// one.
bool is_waiting_line(std::uintptr_t pc) {
  static std::unordered_map<std::uintptr_t, bool> known;
  const auto [place, is_new] = known.try_emplace(pc, true);
  if (is_new) {
    const CodeFrame frame = resolve_code(pc - 1).front();
    const std::string text = source_line_text(frame.file, frame.line, std::filesystem::current_path().string());
    place->second = text.empty() || text.find("while") != std::string::npos || text.find("for") != std::string::npos;
  }
  return place->second;
}

bool waits(const Segment& s) {
  return s.kind == AccessKind::kRead && is_volatile_place(s.pc, false) && is_waiting_line(s.pc);
}

}  // namespace

void note_volatile_place(std::uintptr_t pc) {
  any = true;
  places()[pc] = true;
}

bool is_volatile_place(std::uintptr_t pc, bool writes) {
  if (!any) return false;
  const auto [place, is_new] = places().try_emplace(pc, false);
  if (is_new) place->second = is_listed(pc, writes);
  return place->second;
}

bool note_volatile(const Access& access) {
  if (is_atomic(access.kind) || !is_volatile_place(access.pc, access.writes())) return false;
  note_atomic(*access.lane, access.address, access.writes() ? AtomicKind::kStore : AtomicKind::kLoad,
              AtomicScope::kDevice);
  return true;
}

bool is_signal(const Segment& a, const Segment& b, bool same_warp) {
  if (!any) return false;
  if (same_warp || (!waits(a) && !waits(b))) return false;
  const Segment& writer = waits(a) ? b : a;
  return is_atomic(writer.kind) ? reaches(writer.kind, a.block, b.block) : is_volatile_place(writer.pc, true);
}

}  // namespace offgrid::emu::check

extern "C" void offgrid_note_volatile_lines(const void* list, unsigned long count) {
  using namespace offgrid::emu::check;
  const auto* line = static_cast<const ListedLine*>(list);
  for (const ListedLine* const end = line + count; line != end; ++line) {
    lines().insert(line_of(line->file, line->line, line->writes));
    any = true;
  }
}
