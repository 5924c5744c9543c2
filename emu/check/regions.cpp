#include "check/regions.h"

#include <algorithm>
#include <unordered_set>

#include "check/metadata.h"
#include "check/symbols.h"
#include "engine/buffer_name.h"
#include "engine/state.h"
#include "memory/window.h"

// The bounds of the section that the rewriter puts `__constant__` variables into, made by the linker if there are any.
extern "C" {
__attribute__((weak, visibility("hidden"))) extern const unsigned char __start_offgrid_constant[];
__attribute__((weak, visibility("hidden"))) extern const unsigned char __stop_offgrid_constant[];
}

namespace offgrid::emu::check {
namespace {

struct Span {
  std::uintptr_t begin, end;
};

std::vector<Span>& heap() {  // by begin; disjoint
  static std::vector<Span> spans;
  return spans;
}

std::unordered_set<const ResidentBlock*>& arenas() {
  static std::unordered_set<const ResidentBlock*> all;
  return all;
}

std::vector<Span>::iterator first_after(std::uintptr_t address) {
  auto& spans = heap();
  return std::upper_bound(spans.begin(), spans.end(), address,
                          [](std::uintptr_t a, const Span& span) { return a < span.begin; });
}

Region heap_region(std::uintptr_t address) {
  auto& spans = heap();
  static std::size_t last = 0;
  if (last < spans.size() && address - spans[last].begin < spans[last].end - spans[last].begin) {
    return {RegionKind::kHeap, spans[last].begin, spans[last].end - spans[last].begin, metadata.begin, nullptr, 0};
  }
  const auto next = first_after(address);
  if (next == spans.begin() || address >= std::prev(next)->end) return {RegionKind::kOutside, 0, 0, 0, nullptr, 0};
  last = static_cast<std::size_t>(std::prev(next) - spans.begin());
  const Span& span = spans[last];
  return {RegionKind::kHeap, span.begin, span.end - span.begin, metadata.begin, nullptr, 0};
}

Region shared_region(const ResidentBlock& block, RegionKind kind, const unsigned char* begin, std::size_t bytes) {
  Region region;
  region.kind = kind;
  region.begin = reinterpret_cast<std::uintptr_t>(begin);
  region.bytes = bytes;
  region.base = metadata.begin;
  region.arena = reinterpret_cast<std::uintptr_t>(block.shared);
  std::copy(std::begin(block.index), std::end(block.index), region.owner);
  return region;
}

Region static_variable(const ResidentBlock& block, const LaunchState::Placed& placed) {
  Region region = shared_region(block, RegionKind::kSharedStatic, block.shared + placed.offset, placed.variable->bytes);
  region.variable = placed.variable;
  return region;
}

Region dynamic_region(const ResidentBlock& block) {
  return shared_region(block, RegionKind::kSharedDynamic, block.dynamic_shared, block.launch->dynamic_shared);
}

/// The block in whose shared memory the address lies, if a block may reach it: itself, or one of its cluster.
const ResidentBlock* owner_of(const ResidentBlock& block, std::uintptr_t address) {
  const auto* at = reinterpret_cast<const void*>(address);
  if (block.arena.owns(at)) return &block;
  if (!block.cluster) return nullptr;
  for (const ResidentBlock* member : block.cluster->blocks) {
    if (member->arena.owns(at)) return member;
  }
  return nullptr;
}

bool holds(const Region& region, std::uintptr_t address) { return address - region.begin < region.bytes; }

Region owned_region(const ResidentBlock& block, std::uintptr_t address) {
  if (const Region dynamic = dynamic_region(block); holds(dynamic, address)) return dynamic;
  const auto& layout = block.launch->layout;
  for (auto placed = layout.rbegin(); placed != layout.rend(); ++placed) {
    if (const Region region = static_variable(block, *placed); holds(region, address)) return region;
  }
  return {RegionKind::kOutside, 0, 0, 0, nullptr, 0};
}

Region block_region(const ResidentBlock& block, std::uintptr_t address) {
  if (const ResidentBlock* owner = owner_of(block, address)) {
    Region region = owned_region(*owner, address);
    region.is_peer = owner != &block;
    return region;
  }
  for (const ResidentBlock* other : arenas()) {
    if (other->arena.owns(reinterpret_cast<const void*>(address))) return {RegionKind::kOutside, 0, 0, 0, nullptr, 0};
  }
  return {RegionKind::kStack, 0, 0, metadata.begin, nullptr, 0};
}

}  // namespace

bool is_constant_memory(std::uintptr_t address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(__start_offgrid_constant);
  const auto end = reinterpret_cast<std::uintptr_t>(__stop_offgrid_constant);
  return address - begin < end - begin;
}

void forget_arenas() { arenas().clear(); }

void arena_added(const ResidentBlock& block) { arenas().insert(&block); }

void region_added(std::uintptr_t begin, std::size_t bytes) {
  heap().insert(first_after(begin), {begin, begin + bytes});
}

void region_removed(std::uintptr_t begin) {
  const auto next = first_after(begin);
  if (next != heap().begin() && std::prev(next)->begin == begin) heap().erase(std::prev(next));
}

Region find_region(const ResidentBlock& block, std::uintptr_t address) {
  const Window& w = window();
  if (w.in_heap(address)) return heap_region(address);
  if (w.contains(address)) return block_region(block, address);
  if (address - metadata.statics_begin < metadata.statics_bytes) {
    if (const Symbol symbol = symbol_at(address); symbol.bytes != 0) {
      return {RegionKind::kVariable,
              symbol.begin,
              symbol.bytes,
              metadata.statics_begin - metadata.window_bytes,
              nullptr,
              0};
    }
    if (is_red_zone(address)) return {RegionKind::kOutside, 0, 0, 0, nullptr, 0};
    if (has_symbols()) return {RegionKind::kBetweenVariables, 0, 0, 0, nullptr, 0};
  }
  return {};
}

std::vector<Region> shared_regions(const ResidentBlock& block) {
  std::vector<Region> regions{dynamic_region(block)};
  for (const auto& placed : block.launch->layout) regions.push_back(static_variable(block, placed));
  return regions;
}

Region nearest_region(const ResidentBlock& block, std::uintptr_t address) {
  Region best;
  std::uintptr_t distance = ~std::uintptr_t{0};
  const auto consider = [&](const Region& region) {
    const std::uintptr_t end = region.begin + region.bytes;
    const std::uintptr_t away = address < region.begin ? region.begin - address : address - end;
    if (region.bytes == 0 || away >= distance) return;
    distance = away;
    best = region;
  };
  if (window().in_heap(address)) {
    auto& spans = heap();
    const auto next = first_after(address);
    const auto whole = [](const Span& s) {
      return Region{RegionKind::kHeap, s.begin, s.end - s.begin, metadata.begin, nullptr, 0};
    };
    if (next != spans.begin()) consider(whole(*std::prev(next)));
    if (next != spans.end()) consider(whole(*next));
    return best;
  }
  if (!window().contains(address)) {
    for (const Symbol& symbol : {symbol_before(address), symbol_behind(address)}) {
      consider({RegionKind::kVariable, symbol.begin, symbol.bytes, 0, nullptr, 0});
    }
    return best;
  }
  const ResidentBlock* owner = owner_of(block, address);
  if (!owner) return best;
  // Who runs out of a shared array runs upwards, unless the next one starts just behind.
  constexpr std::uintptr_t kJustBefore = 1024;
  for (const auto& placed : block.launch->layout) {
    const Region region = static_variable(*owner, placed);
    if (address >= region.begin || region.begin - address <= kJustBefore) consider(region);
  }
  consider(dynamic_region(*owner));
  best.is_peer = owner != &block;
  return best;
}

}  // namespace offgrid::emu::check
