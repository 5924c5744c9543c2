#include "check/arguments.h"

#include <offgrid/emu/engine.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "check/book.h"
#include "check/stream_order.h"
#include "engine/buffer_name.h"
#include "engine/kernel_arguments.h"
#include "memory/window.h"

namespace offgrid::emu::check {

std::uintptr_t last_written = 0;

namespace {

/// A heap region that the running launch wrote, and its first write.
struct Written {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::uintptr_t pc = 0;
  bool holds(std::uintptr_t address) const { return address - begin < bytes; }
};

std::vector<Written>& written() {
  static std::vector<Written> all;
  return all;
}

/// An allocation that a kernel wrote, got as a pointer to what is not const.
struct Output {
  std::size_t bytes = 0;
  std::string name;  ///< the parameter's
  std::size_t element_bytes = 1;
  std::uintptr_t first_element = 0;
  std::uintptr_t pc = 0;
  LaunchPlace place;
  bool is_reported = false;
};

std::map<std::uintptr_t, Output>& outputs() {
  static std::map<std::uintptr_t, Output> all;
  return all;
}

bool is_table(const KernelArgument& a) { return a.pointee.find('*') != std::string::npos; }

std::string quoted(const KernelArgument& a) {
  return a.name.empty() ? "argument " + std::to_string(a.index + 1) : "`" + a.name + "`";
}

void add_allocation(Finding& f, std::uintptr_t begin) {
  const Allocation a = DeviceMemory::instance().find(begin).allocation;
  f.sites.push_back({"allocated", a.site, a.site_pc, std::to_string(a.bytes) + " bytes"});
}

BookEntry* new_entry(FindingId id, const LaunchState& launch, const Written& region, unsigned which) {
  bool is_new = false;
  BookEntry& entry = book().at({id, region.pc, which}, is_new);
  if (!is_new) return nullptr;
  entry.finding.id = id;
  entry.finding.severity = Severity::kWarning;
  entry.finding.place = place_of(launch);
  entry.finding.sites.push_back({"write", {}, region.pc - 1, ""});
  return &entry;
}

/// Written, although every pointer into the region is one to const. A pointer that lies in memory, or in an object, may
/// be the one that was written through.
void check_const(const LaunchState& launch, const std::vector<KernelArgument>& arguments, const Written& region) {
  const KernelArgument* pointer = nullptr;
  for (const KernelArgument& a : arguments) {
    if (is_table(a)) return;
    if (!region.holds(a.value)) continue;
    if (!a.is_pointer || !a.is_const) return;
    if (!pointer) pointer = &a;
  }
  if (!pointer) return;
  BookEntry* entry = new_entry(FindingId::kWriteToReadOnly, launch, region, pointer->index);
  if (!entry) return;
  Finding& f = entry->finding;
  f.headline = "the kernel writes through " + quoted(*pointer) + ", which it takes as a pointer to const";
  f.notes.push_back("no other argument points to that memory");
  f.help = "take the pointer without const, or write to an output; a cast that takes const away hides the write";
  add_allocation(f, region.begin);
}

/// True if the launch has read and written the granule at a place, or a part of it.
bool read_and_written(int level, std::size_t index, Time since) {
  const Cells& cells = metadata.cells[level];
  if (cells.write[index] == kFiner) {
    return read_and_written(level + 1, 2 * index, since) || read_and_written(level + 1, 2 * index + 1, since);
  }
  return cells.write[index] >= since && cells.read[index] >= since;
}

bool any_read_and_written(std::uintptr_t begin, std::uintptr_t end, Time since) {
  std::size_t offset = 0;
  if (!metadata.offset_of(begin, offset)) return false;
  for (std::size_t at = offset / 4, last = (offset + (end - begin) + 3) / 4; at < last; ++at) {
    if (read_and_written(0, at, since)) return true;
  }
  return false;
}

/// Equal pointers, one of them `__restrict__`, to what the launch both read and wrote.
void check_restrict(const LaunchState& launch, const std::vector<KernelArgument>& arguments, const Written& region) {
  for (auto a = arguments.begin(); a != arguments.end(); ++a) {
    if (!a->is_pointer || !region.holds(a->value)) continue;
    for (auto b = a + 1; b != arguments.end(); ++b) {
      if (!b->is_pointer || b->value != a->value || !(a->is_restrict || b->is_restrict)) continue;
      if (a->is_const && b->is_const) continue;
      if (!any_read_and_written(a->value, region.begin + region.bytes, issued_begin())) continue;
      BookEntry* entry = new_entry(FindingId::kRestrictAlias, launch, region, a->index << 16 | b->index);
      if (!entry) return;
      Finding& f = entry->finding;
      f.headline = quoted(*a) + " and " + quoted(*b) + " point to the same memory, and " +
                   quoted(a->is_restrict ? *a : *b) + " is declared __restrict__";
      f.notes.push_back(
          "the launch reads and writes that memory; the compiler may keep, reorder or cache what it read");
      add_allocation(f, region.begin);
      return;
    }
  }
}

void note_output(const LaunchState& launch, const std::vector<KernelArgument>& arguments, const Written& region) {
  const KernelArgument* pointer = nullptr;
  for (const KernelArgument& a : arguments) {
    if (!a.is_pointer || a.is_const || !region.holds(a.value)) continue;
    if (!pointer || a.value < pointer->value) pointer = &a;
  }
  if (!pointer) return;
  Output& output = outputs()[region.begin];
  if (output.is_reported) return;
  output = {region.bytes, pointer->name, pointer->pointee_bytes, pointer->value, region.pc, place_of(launch), false};
}

struct Hole {
  std::size_t begin = 0, end = 0;  ///< bytes of the range
  std::size_t holes = 0;
};

bool is_unwritten(std::size_t offset) { return metadata.shadow[offset] != 0 && metadata.origin[offset / 4] == 0; }

/// The first byte from `at` on that is written, or that is not.
std::size_t next(std::size_t at, std::size_t end, bool unwritten) {
  while (at < end) {
    std::uint64_t eight = 1;
    if (unwritten && at + 8 <= end) std::memcpy(&eight, metadata.shadow + at, 8);
    if (eight == 0) {
      at += 8;
      continue;
    }
    if (is_unwritten(at) == unwritten) return at;
    ++at;
  }
  return end;
}

/// Unwritten stretches of at least `least` bytes with something written on both sides.
Hole find_holes(std::size_t begin, std::size_t end, std::size_t least) {
  Hole first;
  std::size_t at = next(begin, end, false);
  while (at < end) {
    const std::size_t hole = next(at, end, true);
    at = next(hole, end, false);
    if (at >= end || at - hole < least) continue;
    if (first.holes++ == 0) {
      first.begin = hole;
      first.end = at;
    }
  }
  return first;
}

void report_hole(const Output& output, std::uintptr_t allocation, std::uintptr_t begin, std::uintptr_t end,
                 std::uintptr_t pc) {
  const auto size = output.element_bytes;
  const auto first = (begin - output.first_element) / size, last = (end - 1 - output.first_element) / size;
  const std::string name = output.name.empty() ? "the output" : "`" + output.name + "`";
  Finding f;
  f.id = FindingId::kOutputUnwritten;
  f.severity = Severity::kNote;
  f.headline = (first == last ? "element " + std::to_string(first)
                              : "elements " + std::to_string(first) + ".." + std::to_string(last)) +
               " of " + name + (first == last ? " was" : " were") + " never written, but the host copies " +
               (first == last ? "it" : "them");
  f.sites.push_back({"write", {}, output.pc - 1, "elements before and behind were written"});
  if (pc) f.sites.push_back({"copied", {}, pc, ""});
  f.place = output.place;
  add_allocation(f, allocation);
  finding_sink().add(std::move(f));
}

}  // namespace

void note_written_region(const Access& access, const PlaceEntry& entry) {
  if (!window().in_heap(entry.begin)) return;
  last_written = entry.begin;
  auto& all = written();
  const bool known = std::any_of(all.begin(), all.end(), [&](const Written& w) { return w.begin == entry.begin; });
  if (!known) all.push_back({entry.begin, entry.bytes, access.pc});
}

void check_arguments(const LaunchState& launch) {
  last_written = 0;
  if (written().empty()) return;
  const std::vector<KernelArgument> arguments = kernel_arguments(*launch.kernel, launch.closure);
  for (const Written& region : written()) {
    check_const(launch, arguments, region);
    check_restrict(launch, arguments, region);
    note_output(launch, arguments, region);
  }
  written().clear();
}

void check_holes(const void* begin, std::size_t bytes, std::uintptr_t pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  auto found = outputs().upper_bound(address);
  std::size_t offset = 0;
  if (found == outputs().begin() || !metadata.offset_of(address, offset)) return;
  Output& output = std::prev(found)->second;
  const std::uintptr_t allocation = std::prev(found)->first;
  if (output.is_reported || address - allocation >= output.bytes || address + bytes <= output.first_element) return;
  const std::size_t skip = output.first_element > address ? output.first_element - address : 0;
  const Hole hole = find_holes(offset + skip, offset + bytes, output.element_bytes);
  if (hole.holes != 1) return;  // many are a pattern that is meant: borders of a stencil, padded rows, strides
  output.is_reported = true;
  // Of managed memory the host may read what it likes, and need not look at the holes.
  if (DeviceMemory::instance().find(allocation).allocation.kind != MemoryKind::kDevice) return;
  report_hole(output, allocation, address + (hole.begin - offset), address + (hole.end - offset), pc);
}

void forget_output(std::uintptr_t begin) { outputs().erase(begin); }

}  // namespace offgrid::emu::check
