#include "check/undefined.h"

#include <cstring>

#include "check/book.h"

namespace offgrid::emu::check {
namespace {

/// The line that read unwritten memory comes first, then the way of the value.
void describe(BookEntry& entry, OriginId id) {
  Finding& f = entry.finding;
  f.id = FindingId::kUninitialised;
  const Origin& root = root_of(id);
  std::vector<const Origin*> stores;
  for (const Origin* o = &origin(id); o->kind == OriginKind::kStored; o = &origin(o->from)) stores.push_back(o);
  if (root.kind == OriginKind::kLocal) {
    const std::string name = root.local ? root.local : "?";  // of LLVM: "best.i.i" in an inlined function
    f.headline = "the value of the local variable `" + name.substr(0, name.find('.')) + "` was never set";
  } else if (root.kind == OriginKind::kInFlight) {
    const LaunchState* launch = offgrid_tls.lane ? resident(offgrid_tls.block).launch : nullptr;
    f.headline = region_name(launch, root.region) + " was read before an asynchronous copy into it was waited for";
    f.sites.push_back({"copy", {}, root.pc - 1, ""});
    f.place = root.place;
    f.help = "the thread that copies waits for its group (cp.async.wait_group, __pipeline_wait_prior), then a barrier";
  } else if (root.region.kind == RegionKind::kStack && root.pc != 0) {
    f.headline = "a part of a local variable was read, but never set";
    f.notes.push_back("it may have been copied there from memory that nobody had written");
    f.sites.push_back({"read", {}, root.pc - 1, ""});
    f.place = root.place;
  } else if (root.pc != 0) {
    f.headline = unwritten_in(root.region).item + " was read, but never written";
    f.sites.push_back({"read", {}, root.pc - 1, ""});
    f.notes.push_back(unwritten_in(root.region).element);
    f.place = root.place;
  } else {
    f.headline = "a value that was never set";
  }
  for (auto store = stores.rbegin(); store != stores.rend(); ++store) {
    f.sites.push_back({"stored", {}, (*store)->pc - 1, ""});
  }
  if (root.kind != OriginKind::kLocal && root.pc != 0) {
    if (root.region.kind == RegionKind::kSharedStatic) {
      f.sites.push_back({"declared", root.region.variable->where, 0, ""});
    } else if (root.region.kind == RegionKind::kHeap) {
      const Allocation a = DeviceMemory::instance().find(root.region.begin).allocation;
      if (a.site.file || a.site_pc) f.sites.push_back({"allocated", a.site, a.site_pc, ""});
    }
  }
}

void note_range(BookEntry& entry, OriginId id) {
  const Origin& root = root_of(id);
  if (root.kind != OriginKind::kLoad || !root.region.has_cells() || root.pc == 0) return;
  const UnwrittenSpan& span = unwritten_in(root.region);
  widen(entry, span.lowest, 1);
  widen(entry, span.highest, 1);
}

BookEntry& entry_of(OriginId id, bool& is_new) {
  const Origin& root = root_of(id);
  const std::uintptr_t what = root.kind == OriginKind::kLocal ? reinterpret_cast<std::uintptr_t>(root.local) : root.pc;
  BookEntry& entry = book().at({FindingId::kUninitialised, what, 0}, is_new);
  if (is_new) {
    describe(entry, id);
    if (root.kind == OriginKind::kLoad && root.region.has_cells() && root.pc != 0) {
      entry.unwritten_read = root.pc;
      entry.range = unwritten_in(root.region).range;
    }
  }
  note_range(entry, id);
  return entry;
}

}  // namespace

void report_undefined(const Lane& lane, OriginId id, const char* role, std::uintptr_t pc, const char* how) {
  if (checks_of(lane).block->damaged) return;
  bool is_new = false;
  BookEntry& entry = entry_of(id, is_new);
  if (!is_new) return;
  Finding& f = entry.finding;
  const bool behind_first = !f.sites.empty() && (f.sites.front().role == "read" || f.sites.front().role == "copy");
  f.sites.insert(f.sites.begin() + (behind_first ? 1 : 0), {role, {}, pc - 1, how});
  f.place = place_of(lane);
}

void report_use(OriginId id, std::uintptr_t pc) {
  if (const Lane* lane = offgrid_tls.lane)
    report_undefined(*lane, id, "used", pc, "a branch, an index or a divisor depends on it");
}

void check_stored_back(OriginId id, std::uintptr_t pc) {
  const Lane* lane = offgrid_tls.lane;
  if (!lane) return;
  const Origin& from = origin(id);
  if (from.kind != OriginKind::kLoad || from.region.kind != RegionKind::kHeap) return;
  const UnwrittenSpan& span = unwritten_in(from.region);
  if (last_store < span.lowest || last_store > span.highest) return;
  report_undefined(*lane, id, "stored", pc, "what was made of it is stored back to the same place");
}

void report_unwritten_load(const Access& access) {
  const BlockChecks& block = *checks_of(*access.lane).block;
  if (block.damaged) return;
  const Region region = find_region(*block.block, access.address);
  if (region_element_bytes(block.block->launch, region) > 8) return;  // a piece of an element, and perhaps its tail
  const OriginId id = load_origin(access, region);
  if (id == 0) return;
  bool is_new = false;
  Finding& f = entry_of(id, is_new).finding;
  if (!is_new || region.is_shared()) return;
  f.severity = Severity::kWarning;
  f.headline = "possible use of an undefined value: " + f.headline;
}

void define_host_stores(std::uintptr_t begin, std::size_t bytes) {
  constexpr std::size_t kMostBetween = 16;  // words that hold poison's bits between others that the host stored
  std::size_t offset = 0;
  if (bytes == 0 || !metadata.offset_of(begin, offset)) return;
  std::size_t behind_host = ~std::size_t{0};  // the word behind the last one that is the host's
  for (std::size_t i = 0; i + 4 <= bytes; i += 4) {
    std::uint32_t shadow = 0, content = 0;
    std::memcpy(&shadow, metadata.shadow + offset + i, 4);
    std::memcpy(&content, reinterpret_cast<const void*>(begin + i), 4);
    const bool unwritten = shadow != 0 && metadata.origin[(offset + i) / 4] == 0;
    if (unwritten && content == 0xFFFFFFFF) continue;
    if (behind_host <= i && i - behind_host <= 4 * kMostBetween) {
      std::memset(metadata.shadow + offset + behind_host, 0, i - behind_host);
    }
    if (unwritten) std::memset(metadata.shadow + offset + i, 0, 4);
    behind_host = unwritten || shadow == 0 ? i + 4 : ~std::size_t{0};
  }
}

void check_copied_out(const void* begin, std::size_t bytes, std::uintptr_t pc) {
  std::size_t offset = 0;
  if (bytes == 0 || !metadata.offset_of(reinterpret_cast<std::uintptr_t>(begin), offset)) return;
  const unsigned char* shadow = metadata.shadow + offset;
  const std::size_t end = bytes;
  for (std::size_t i = 0; i < end;) {
    std::uint64_t eight = 0;
    if (i + 8 <= end) {
      std::memcpy(&eight, shadow + i, 8);
      if (eight == 0) {
        i += 8;
        continue;
      }
    }
    const OriginId id = shadow[i] ? metadata.origin[(offset + i) / 4] : 0;
    if (id == 0) {
      ++i;
      continue;
    }
    bool is_new = false;
    BookEntry& entry = entry_of(id, is_new);
    if (is_new) {
      const Allocation a = DeviceMemory::instance().find(reinterpret_cast<std::uintptr_t>(begin) + i).allocation;
      const auto at = reinterpret_cast<std::uintptr_t>(begin) + i - a.begin;
      const bool is_managed = a.kind == MemoryKind::kManaged;
      entry.finding.notes.push_back(
          "the result reached byte " + std::to_string(at) + " of allocation #" + std::to_string(a.id) +
          (is_managed ? ", which the host can read from here on" : ", which the host copies"));
      if (pc) entry.finding.sites.push_back({is_managed ? "waited" : "copied", {}, pc, ""});
    }
    i = (i / 4 + 1) * 4;
  }
}

}  // namespace offgrid::emu::check
