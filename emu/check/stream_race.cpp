#include "check/stream_race.h"

#include <offgrid/emu/engine.h>

#include <algorithm>

#include "check/history.h"
#include "check/race.h"
#include "check/symbols.h"
#include "engine/buffer_name.h"
#include "engine/state.h"

namespace offgrid::emu::check {
namespace {

constexpr char kHelp[] =
    "order the two: cudaEventRecord behind the first and cudaStreamWaitEvent before the second, one stream for both, "
    "or "
    "a synchronisation in between";

/// Bytes that an operation has touched, from the first to the last, and by which access first.
struct Touched {
  const Operation* by = nullptr;
  Cell cell = 0;
  std::uintptr_t lowest = ~std::uintptr_t{0}, highest = 0;

  void add(const Operation* operation, Cell c, std::uintptr_t begin, std::size_t bytes) {
    if (!by) {
      by = operation;
      cell = c;
    }
    if (by != operation) return;
    lowest = std::min(lowest, begin);
    highest = std::max(highest, begin + bytes - 1);
  }
};

/// Looks at the cells of ranges for accesses of some launches.
template <class LaunchOf>
class CellSearch {
 public:
  /// `launch_of` gives the launch that a cell belongs to, if it is one of those looked for.
  CellSearch(bool reads_too, LaunchOf launch_of) : reads_too_(reads_too), launch_of_(launch_of) {}

  void rows(const Rows& r) {
    if (r.empty()) return;
    for (std::size_t z = 0; z < r.depth; ++z) {
      for (std::size_t y = 0; y < r.height; ++y) range(r.begin + z * r.slice + y * r.pitch, r.width);
    }
  }
  const Touched& found() const { return found_; }

 private:
  void range(std::uintptr_t begin, std::size_t bytes) {
    std::size_t offset = 0;
    if (!metadata.offset_of(begin, offset)) return;
    begin_ = offset;
    end_ = offset + bytes;
    base_ = begin - offset;
    for (std::size_t at = offset & ~std::size_t{3}; at < end_; at += 4) granule(0, at);
  }

  void granule(int level, std::size_t at) {
    const std::size_t bytes = std::size_t{4} >> level;
    if (at + bytes <= begin_ || at >= end_) return;
    const Cells& cells = metadata.cells[level];
    const std::size_t index = at >> (2 - level);
    if (cells.write[index] == kFiner) {
      granule(level + 1, at);
      granule(level + 1, at + bytes / 2);
      return;
    }
    if (look(cells.write[index], at, bytes) || !reads_too_) return;
    look(cells.read[index], at, bytes) || look(cells.other_read[index], at, bytes);
  }

  bool look(Cell cell, std::size_t at, std::size_t bytes) {
    if (cell < kFirstCell) return false;
    const Operation* launch = launch_of_(cell);
    if (launch) found_.add(launch, cell, base_ + at, bytes);
    return launch != nullptr;
  }

  bool reads_too_;
  LaunchOf launch_of_;
  Touched found_;
  std::size_t begin_ = 0, end_ = 0;
  std::uintptr_t base_ = 0;
};

std::string triple(unsigned x, unsigned y, unsigned z) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

std::string launch_text(const Operation& launch) {
  return "launch #" + std::to_string(launch.place.launch_number) + " on stream " + std::to_string(launch.place.stream);
}

std::string copy_text(const Operation& copy) {
  return copy.copy.name + " on stream " + std::to_string(copy.stream_shown);
}

std::string text(const Operation& operation) {
  return operation.is_launch ? launch_text(operation) + " (" + operation.place.kernel + ")" : copy_text(operation);
}

const char* role_of(AccessKind kind) {
  return kind == AccessKind::kRead ? "read" : kind == AccessKind::kWrite ? "write" : "atomic";
}

FindingSite launch_site(const Operation& launch, Cell cell) {
  const Segment& segment = history().of(cell);
  const unsigned thread = thread_of(cell), x = launch.dim[0], y = launch.dim[1];
  const BlockName& block = block_name(segment.block);
  FindingSite site;
  site.role = role_of(segment.kind);
  site.pc = segment.pc - 1;
  site.detail = launch.place.kernel + ", " + launch_text(launch) + ", block " +
                triple(block.index[0], block.index[1], block.index[2]) + " thread " +
                triple(thread % x, thread / x % y, thread / (x * y));
  return site;
}

FindingSite copy_site(const Operation& copy, bool writes) {
  return {writes ? "write" : "read", {}, copy.copy.pc, copy_text(copy)};
}

/// Unordered operations of one stream are nodes of a graph.
bool is_in_graph(const Operation& first, const Operation& second) { return first.stream_shown == second.stream_shown; }

std::string unordered_note(const Operation& first, const Operation& second) {
  const char* what = is_in_graph(first, second) ? "no edge of the graph orders "
                                                : "no event, no synchronisation and no common stream orders ";
  return what + text(first) + " before " + text(second);
}

std::string help_for(const Operation& first, const Operation& second) {
  if (is_in_graph(first, second))
    return "add the dependency between the two nodes; when capturing, an event between the streams";
  return kHelp;
}

void name_bytes(Finding& f, const LaunchState* launch, std::uintptr_t begin, std::uintptr_t last,
                const std::string& hazard) {
  const AddressInfo info = DeviceMemory::instance().find(begin);
  if (info.what != AddressClass::kInside) {
    f.headline = hazard + " on `" + symbol_at(begin).name + "`";
    return;
  }
  const Allocation& a = info.allocation;
  const BufferName name = launch ? name_of_buffer(*launch, a, begin) : name_of_buffer(a, begin);
  f.headline = hazard + " on " + name.name;
  f.notes.push_back("bytes " + std::to_string(begin - a.begin) + ".." + std::to_string(last - a.begin) + " of " +
                    name.name + ", which has " + std::to_string(a.bytes) + " bytes");
  f.sites.push_back({"allocated", a.site, a.site_pc, ""});
}

const char* hazard_of(bool first_writes, bool second_writes) {
  return first_writes && second_writes ? "WAW hazard" : first_writes ? "RAW hazard" : "WAR hazard";
}

/// `launch` is the running one, if it takes part.
void report_pair(const Operation& first, FindingSite first_site, const Operation& second, FindingSite second_site,
                 std::uintptr_t begin, std::uintptr_t last, const LaunchState* launch) {
  Finding f;
  f.id = FindingId::kRaceGlobal;
  const bool first_writes = first_site.role != "read", second_writes = second_site.role != "read";
  f.sites.push_back(std::move(first_site));
  f.sites.push_back(std::move(second_site));
  name_bytes(f, launch, begin, last, hazard_of(first_writes, second_writes));
  f.headline += first.is_launch || second.is_launch ? ", the copy and the launch are not ordered"
                                                    : ", the two copies are not ordered";
  f.notes.push_back(unordered_note(first, second));
  f.place = first.is_launch ? first.place : second.place;
  f.help = help_for(first, second);
  finding_sink().add(std::move(f));
}

struct Overlap {
  std::uintptr_t begin, end;
  bool any() const { return begin < end; }
};

/// Boxes of several rows interleave: they are left out.
Overlap overlap(const Rows& a, const Rows& b) {
  const auto is_flat = [](const Rows& r) { return !r.empty() && r.height == 1 && r.depth == 1; };
  if (!is_flat(a) || !is_flat(b)) return {0, 0};
  return {std::max(a.begin, b.begin), std::min(a.begin + a.width, b.begin + b.width)};
}

void check_two_copies(const Operation& first, const Operation& second) {
  struct Pair {
    const Rows &a, &b;
    bool a_writes, b_writes;
  };
  const CopyCall &a = first.copy, &b = second.copy;
  for (const Pair& pair : {Pair{a.to, b.to, true, true}, {a.to, b.from, true, false}, {a.from, b.to, false, true}}) {
    const Overlap both = overlap(pair.a, pair.b);
    std::size_t offset = 0;
    if (!both.any() || !metadata.offset_of(both.begin, offset)) continue;  // of host memory little is known
    report_pair(first, copy_site(first, pair.a_writes), second, copy_site(second, pair.b_writes), both.begin,
                both.end - 1, nullptr);
    return;
  }
}

const Operation* launch_among(const std::vector<OperationPointer>& operations, Cell cell) {
  for (auto o = operations.rbegin(); o != operations.rend(); ++o) {
    if ((*o)->is_launch && cell >= (*o)->begin) return cell < (*o)->end ? o->get() : nullptr;
  }
  return nullptr;
}

}  // namespace

void check_copy(const CopyCall& call) {
  OperationPointer issued;
  const std::vector<OperationPointer> unordered = issue_copy(call, issued);
  bool any_launch = false;
  for (const OperationPointer& earlier : unordered) {
    any_launch = any_launch || earlier->is_launch;
    if (!earlier->is_launch) check_two_copies(*earlier, *issued);
  }
  if (!any_launch) return;
  for (const bool writes : {true, false}) {
    CellSearch search(writes, [&](Cell cell) { return launch_among(unordered, cell); });
    search.rows(writes ? call.to : call.from);
    const Touched& touched = search.found();
    if (!touched.by) continue;
    report_pair(*touched.by, launch_site(*touched.by, touched.cell), *issued, copy_site(*issued, writes),
                touched.lowest, touched.highest, nullptr);
    return;
  }
}

void check_copies_before(const LaunchState& launch) {
  const Operation& me = issued_launch();
  for (const OperationPointer& earlier : unordered_before_launch()) {
    if (earlier->is_launch) continue;
    for (const bool writes : {true, false}) {
      CellSearch search(writes, [&](Cell cell) { return cell >= me.begin ? &me : nullptr; });
      search.rows(writes ? earlier->copy.to : earlier->copy.from);
      const Touched& touched = search.found();
      if (!touched.by) continue;
      report_pair(*earlier, copy_site(*earlier, writes), me, launch_site(me, touched.cell), touched.lowest,
                  touched.highest, &launch);
      break;
    }
  }
}

void describe_launch_race(BookEntry& entry, const Access& access, Cell previous, Cell mine, std::uintptr_t address,
                          const char* hazard, const Operation& earlier) {
  const WarpChecks& warp = checks_of(*access.lane);
  const ResidentBlock& block = *warp.block->block;
  const LaunchState* launch = block.launch;
  const Region region = find_region(block, address);
  const Operation& me = issued_launch();
  Finding& f = entry.finding;
  f.id = FindingId::kRaceGlobal;
  f.headline = std::string(hazard) + " on " + region_item(launch, region, address, access.bytes) +
               ", the two launches are not ordered";
  f.sites.push_back(launch_site(earlier, previous));
  f.sites.push_back(launch_site(me, mine));
  f.place = me.place;
  f.notes.push_back(element_text(launch, region, address, access.bytes));
  f.notes.push_back(unordered_note(earlier, me));
  f.help = help_for(earlier, me);
  entry.range = range_unit(launch, region, access.bytes);
}

}  // namespace offgrid::emu::check
