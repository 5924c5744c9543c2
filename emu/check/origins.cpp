#include "check/origins.h"

#include <algorithm>
#include <map>

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
    if (access.lane) o.place = place_of(*access.lane);
  }
  UnwrittenSpan& span = spans()[region.begin - region.arena];
  if (access.address - region.arena < span.lowest) {
    const LaunchState* launch = access.lane ? checks_of(*access.lane).block->block->launch : nullptr;
    span.lowest = access.address - region.arena;
    span.item = region_item(launch, region, access.address, access.bytes);
    span.element = element_text(launch, region, access.address, access.bytes);
  }
  span.highest = std::max(span.highest, last);
  return id;
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
