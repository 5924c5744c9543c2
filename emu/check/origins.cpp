#include "check/origins.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "check/read_too_early.h"

namespace offgrid::emu::check {
namespace {

constexpr unsigned kMostStores = 6;
constexpr std::size_t kMostOrigins = std::size_t{1} << 22;

struct Key {
  OriginKind kind;
  std::uintptr_t pc, what;
  auto operator<=>(const Key&) const = default;
};

std::vector<Origin>& all() {
  static std::vector<Origin> origins(1);
  return origins;
}

std::map<std::uintptr_t, UnwrittenSpan>& spans() {  // by the region's begin
  static std::map<std::uintptr_t, UnwrittenSpan> all_spans;
  return all_spans;
}

/// The origin of a key, and whether it is new; 0 if there are too many.
OriginId find(const Key& key, bool& is_new) {
  static std::map<Key, OriginId> ids;
  is_new = false;
  if (const auto known = ids.find(key); known != ids.end()) return known->second;
  if (all().size() >= kMostOrigins) return 0;
  is_new = true;
  all().emplace_back();
  return ids[key] = static_cast<OriginId>(all().size() - 1);
}

}  // namespace

const UnwrittenSpan& unwritten_in(const Region& region) { return spans()[region.begin - region.arena]; }

namespace {

const LaunchState* launch_of(const Access& access) {
  return access.lane ? checks_of(*access.lane).block->block->launch : nullptr;
}

/// True if nobody has written these bytes in any element, though others of the elements.
bool is_never_written(const Access& access, const Region& region, std::size_t stride) {
  constexpr std::size_t kMostElements = 4096;
  if (stride == 0 || access.bytes >= stride || region.kind == RegionKind::kStack) return false;
  const unsigned char* shadow = metadata.shadow + (region.begin - region.base);
  const std::size_t first = (access.address - region.begin) % stride;
  bool any_written = false;
  for (std::size_t n = 0; n < kMostElements && (n + 1) * stride <= region.bytes; ++n) {
    for (std::size_t i = 0; i < stride; ++i) {
      if (shadow[n * stride + i] != 0) continue;
      if (i - first < access.bytes) return false;
      any_written = true;
    }
  }
  return any_written;
}

/// True if no word of the access is undefined as a whole.
bool is_written_in_part(const Access& access, const Region& region) {
  const unsigned char* shadow = metadata.shadow + (access.address - region.base);
  std::size_t i = 0;
  for (; i + 4 <= access.bytes; i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, shadow + i, 4);
    if (word == 0xFFFFFFFF) return false;
  }
  return i != 0;
}

}  // namespace

OriginId load_origin(const Access& access, const Region& region) {
  bool is_new = false;
  const OriginId id = find({OriginKind::kLoad, access.pc, region.begin - region.arena}, is_new);
  if (id == 0) return 0;
  Origin& o = all()[id];
  const std::uintptr_t last = access.address - region.arena + access.bytes - 1;
  if (is_new) {
    o.kind = OriginKind::kLoad;
    o.pc = access.pc;
    o.region = region;
    o.bytes = access.bytes;
    o.has_padding = region_may_have_padding(launch_of(access), region);
    o.is_padding = o.has_padding && is_never_written(access, region, region_element_bytes(launch_of(access), region));
    if (access.lane) o.place = place_of(*access.lane);
  }
  if (o.is_padding || (o.has_padding && is_written_in_part(access, region))) return 0;
  if (o.pc != 0) note_unwritten_read(o.pc, access.address - region.arena);
  UnwrittenSpan& span = spans()[region.begin - region.arena];
  if (access.address - region.arena < span.lowest) {
    const LaunchState* launch = launch_of(access);
    span.lowest = access.address - region.arena;
    span.item = region_item(launch, region, access.address, access.bytes);
    span.element = element_text(launch, region, access.address, access.bytes);
    span.range = range_unit(launch, region, access.bytes);
  }
  span.highest = std::max(span.highest, last);
  return id;
}

void origins_of_copy(const Access& read) {
  std::size_t offset = 0;
  if (!metadata.offset_of(read.address, offset)) return;
  const Region region = find_region(*checks_of(*read.lane).block->block, read.address);
  if (!region.has_cells() || read.address + read.bytes > region.begin + region.bytes) return;
  const LaunchState* launch = launch_of(read);
  std::size_t step = 0;
  for (std::size_t i = 0; i < read.bytes; i += std::max<std::size_t>(step, 1)) {
    std::uint32_t& word = metadata.origin[(offset + i) / 4];
    const bool is_new = word == 0 || (origin(word).kind == OriginKind::kLoad && origin(word).pc == read.pc);
    if (metadata.shadow[offset + i] == 0 || !is_new) continue;
    if (step == 0) {
      if (region_may_have_padding(launch, region)) return;
      step = std::min(region_element_bytes(launch, region), read.bytes);
    }
    word =
        load_origin({read.address + i, std::min(step, read.bytes - i), AccessKind::kRead, read.pc, read.lane}, region);
  }
}

OriginId local_origin(const char* name) {
  bool is_new = false;
  const OriginId id = find({OriginKind::kLocal, 0, reinterpret_cast<std::uintptr_t>(name)}, is_new);
  if (is_new) {
    all()[id].kind = OriginKind::kLocal;
    all()[id].local = name;
  }
  return id;
}

OriginId stored_origin(OriginId from, std::uintptr_t pc) {
  if (from == 0 || from >= all().size() || all()[from].depth >= kMostStores) return from;
  bool is_new = false;
  const OriginId id = find({OriginKind::kStored, pc, from}, is_new);
  if (is_new) {
    all()[id].kind = OriginKind::kStored;
    all()[id].pc = pc;
    all()[id].from = from;
    all()[id].depth = all()[from].depth + 1;
  }
  return id == 0 ? from : id;
}

OriginId in_flight_origin(const Access& write, const Region& region) {
  bool is_new = false;
  const OriginId id = find({OriginKind::kInFlight, write.pc, region.begin - region.arena}, is_new);
  if (!is_new) return id;
  Origin& o = all()[id];
  o.kind = OriginKind::kInFlight;
  o.pc = write.pc;
  o.region = region;
  o.bytes = write.bytes;
  if (write.lane) o.place = place_of(*write.lane);
  return id;
}

const Origin& origin(OriginId id) { return all()[id < all().size() ? id : 0]; }

const Origin& root_of(OriginId id) {
  const Origin* o = &origin(id);
  while (o->kind == OriginKind::kStored) o = &origin(o->from);
  return *o;
}

}  // namespace offgrid::emu::check
