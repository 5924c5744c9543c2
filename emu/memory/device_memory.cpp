// Allocations in the reserved range. Each has a slot of its own:
//
//   | guard page | lead | the allocation | slack | guard page |
//
// In a checked program there is an open zone on each side, before the guard page: the checks see accesses there, and
// the lane runs on.
//
// `lead` (less than a page) and `slack` (less than the alignment, and than a page) are checked on free. Slots are
// handed out in a ring through the whole range, so a freed slot stays closed until every other address has been used.
#include <offgrid/emu/memory.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "engine/observer.h"
#include "memory/reservation.h"
#include "memory/slack.h"
#include "memory/window.h"

namespace offgrid::emu {
namespace {

constexpr std::size_t kRememberedFrees = 16384;
constexpr std::size_t kZonePages = 16;
// One kernel page table covers this much; closing a free region in such pieces gives the tables back, too.
constexpr std::uintptr_t kTableSpan = std::uintptr_t{2} << 20;

std::uintptr_t round_up(std::uintptr_t value, std::size_t to) { return (value + to - 1) / to * to; }
std::uintptr_t round_down(std::uintptr_t value, std::size_t to) { return value / to * to; }

struct Slot {
  Allocation allocation;
  std::uintptr_t begin = 0, end = 0;              // with the guard pages
  std::uintptr_t pages_begin = 0, pages_end = 0;  // the open pages
  std::size_t zone = 0;                           // bytes that are open for the checks on each side of them
};

using Slots = std::map<std::uintptr_t, Slot>;  // by Slot::begin; disjoint

/// The slot that covers `address`, or end().
template <class Map>
auto slot_at(Map& slots, std::uintptr_t address) {
  auto next = slots.upper_bound(address);
  if (next == slots.begin()) return slots.end();
  auto it = std::prev(next);
  return address < it->second.end ? it : slots.end();
}

std::size_t physical_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

struct DeviceMemory::Impl {
  Reservation range;
  mutable std::shared_mutex mutex;
  Slots live;
  Slots freed;
  std::deque<std::uintptr_t> freed_order;  // keys of `freed`, oldest first; some may have been reused since
  std::uintptr_t cursor = 0;               // where the ring goes on
  std::size_t live_bytes = 0;
  std::size_t limit = 0;
  std::uint64_t next_id = 1;

  void open_zones(Slot& slot);
  bool place(Slot& slot, std::size_t bytes, std::size_t alignment);
  void forget_freed(std::uintptr_t begin, std::uintptr_t end);
  void remember_freed(Slot slot);
  void close(const Slot& slot);
  Slots::iterator live_by_start(const void* pointer);
};

/// Finds the next gap of the ring that holds the slot. Two turns at most: the first ends at the range's end.
bool DeviceMemory::Impl::place(Slot& slot, std::size_t bytes, std::size_t alignment) {
  const std::size_t page = range.page_bytes();
  const std::size_t start_unit = std::max(page, alignment);
  const std::size_t pages = round_up(bytes, page);
  const std::size_t zone = is_checked_program() ? kZonePages * page : 0;
  bool wrapped = false;
  for (std::uintptr_t at = cursor;;) {
    slot.begin = at;
    slot.pages_begin = round_up(at + page + zone, start_unit);
    slot.pages_end = slot.pages_begin + pages;
    slot.end = slot.pages_end + zone + page;
    if (slot.end > range.end()) {
      if (wrapped) return false;
      wrapped = true;
      at = range.begin();
      continue;
    }
    const auto next = live.lower_bound(at);
    const auto covering = slot_at(live, at);
    const auto in_the_way = covering != live.end() ? covering : next;
    if (in_the_way == live.end() || in_the_way->second.begin >= slot.end) return true;
    at = in_the_way->second.end;
  }
}

void DeviceMemory::Impl::open_zones(Slot& slot) {
  if (!is_checked_program()) return;
  const std::size_t zone = kZonePages * range.page_bytes();
  if (!range.open_zone(slot.pages_begin - zone, slot.pages_begin)) return;
  if (!range.open_zone(slot.pages_end, slot.pages_end + zone)) {
    range.close_zone(slot.pages_begin - zone, slot.pages_begin);
    return;
  }
  slot.zone = zone;
}

void DeviceMemory::Impl::forget_freed(std::uintptr_t begin, std::uintptr_t end) {
  auto it = freed.lower_bound(begin);
  if (const auto covering = slot_at(freed, begin); covering != freed.end()) it = covering;
  while (it != freed.end() && it->second.begin < end) it = freed.erase(it);
}

void DeviceMemory::Impl::remember_freed(Slot slot) {
  freed_order.push_back(slot.begin);
  freed[slot.begin] = std::move(slot);
  if (freed_order.size() <= kRememberedFrees) return;
  freed.erase(freed_order.front());
  freed_order.pop_front();
}

/// Closes the slot's pages; if the whole page-table span around it is free, closes that, which frees the tables.
void DeviceMemory::Impl::close(const Slot& slot) {
  const std::uintptr_t wide_begin = std::max(round_down(slot.pages_begin, kTableSpan), range.begin());
  const std::uintptr_t wide_end = std::min(round_up(slot.pages_end, kTableSpan), range.end());
  const auto next = live.lower_bound(wide_begin);
  const bool alone = slot_at(live, wide_begin) == live.end() && (next == live.end() || next->first >= wide_end);
  if (alone) {
    range.close(wide_begin, wide_end, slot.pages_end - slot.pages_begin);
  } else {
    range.close(slot.pages_begin, slot.pages_end, slot.pages_end - slot.pages_begin);
  }
}

Slots::iterator DeviceMemory::Impl::live_by_start(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto it = slot_at(live, address);
  return it != live.end() && it->second.allocation.begin == address ? it : live.end();
}

DeviceMemory::DeviceMemory() : impl_(new Impl) {
  start_checks();  // they must hear of the first allocation
  impl_->cursor = impl_->range.begin();
  impl_->limit = physical_bytes();
}

DeviceMemory& DeviceMemory::instance() {
  static DeviceMemory* memory = new DeviceMemory;  // never destroyed: pointers stay valid in static destructors
  return *memory;
}

void* DeviceMemory::allocate(std::size_t bytes, MemoryKind kind, SourceLine site, std::uintptr_t site_pc,
                             std::size_t alignment) {
  alignment = std::max<std::size_t>(alignment, 16);
  const std::unique_lock lock(impl_->mutex);
  if (bytes == 0 || bytes > impl_->limit || impl_->live_bytes > impl_->limit - bytes) return nullptr;
  if (bytes > impl_->range.end() - impl_->range.begin()) return nullptr;
  Slot slot;
  if (!impl_->place(slot, bytes, alignment) || !impl_->range.open(slot.pages_begin, slot.pages_end)) return nullptr;
  impl_->open_zones(slot);
  Allocation& a = slot.allocation;
  a.begin = slot.pages_end - round_up(bytes, std::min(alignment, impl_->range.page_bytes()));
  a.bytes = bytes;
  a.id = impl_->next_id++;
  a.kind = kind;
  a.site = site;
  a.site_pc = site_pc;
  fill_slack(slot.pages_begin, a.begin);
  fill_slack(a.end(), slot.pages_end);
  impl_->forget_freed(slot.begin, slot.end);
  impl_->cursor = slot.end;
  impl_->live_bytes += bytes;
  void* result = reinterpret_cast<void*>(a.begin);
  if (observer) observer->allocated(a);
  impl_->live.emplace(slot.begin, std::move(slot));
  return result;
}

FreeError DeviceMemory::free(void* pointer, bool* slack_overwritten) {
  if (slack_overwritten != nullptr) *slack_overwritten = false;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::unique_lock lock(impl_->mutex);
  const auto it = impl_->live_by_start(pointer);
  if (it == impl_->live.end()) {
    const auto inside = slot_at(impl_->live, address);
    if (inside != impl_->live.end()) return FreeError::kInteriorPointer;
    const auto old = slot_at(impl_->freed, address);
    return old != impl_->freed.end() ? FreeError::kAlreadyFreed : FreeError::kNotAllocated;
  }
  Slot slot = std::move(it->second);
  impl_->live.erase(it);
  if (slot.zone != 0) {
    impl_->range.close_zone(slot.pages_begin - slot.zone, slot.pages_begin);
    impl_->range.close_zone(slot.pages_end, slot.pages_end + slot.zone);
  }
  if (slack_overwritten != nullptr) {
    *slack_overwritten = !slack_is_intact(slot.pages_begin, slot.allocation.begin) ||
                         !slack_is_intact(slot.allocation.end(), slot.pages_end);
  }
  if (observer) observer->freed(slot.allocation);
  impl_->close(slot);
  impl_->live_bytes -= slot.allocation.bytes;
  impl_->remember_freed(std::move(slot));
  return FreeError::kNone;
}

bool DeviceMemory::describe(const void* pointer, std::string name, Shape shape) {
  const std::unique_lock lock(impl_->mutex);
  const auto it = impl_->live_by_start(pointer);
  if (it == impl_->live.end()) return false;
  it->second.allocation.name = std::move(name);
  it->second.allocation.shape = std::move(shape);
  return true;
}

AddressInfo DeviceMemory::find(std::uintptr_t address) const {
  const std::shared_lock lock(impl_->mutex);
  if (address < impl_->range.begin() || address >= impl_->range.end()) return {};
  if (const auto it = slot_at(impl_->live, address); it != impl_->live.end()) {
    const Allocation& a = it->second.allocation;
    if (address < a.begin) return {AddressClass::kBefore, a};
    return {address < a.end() ? AddressClass::kInside : AddressClass::kAfter, a};
  }
  if (const auto it = slot_at(impl_->freed, address); it != impl_->freed.end()) {
    return {AddressClass::kFreed, it->second.allocation};
  }
  return {AddressClass::kUnallocated, {}};
}

bool DeviceMemory::contains(const void* pointer, std::size_t bytes) const {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::shared_lock lock(impl_->mutex);
  const auto it = slot_at(impl_->live, address);
  if (it == impl_->live.end()) return false;
  const Allocation& a = it->second.allocation;
  return address >= a.begin && address <= a.end() && bytes <= a.end() - address;
}

bool DeviceMemory::set_read_only(void* pointer, bool read_only) {
  const std::unique_lock lock(impl_->mutex);
  const auto it = impl_->live_by_start(pointer);
  return it != impl_->live.end() && impl_->range.protect(it->second.pages_begin, it->second.pages_end, read_only);
}

std::size_t DeviceMemory::live_bytes() const {
  const std::shared_lock lock(impl_->mutex);
  return impl_->live_bytes;
}

std::size_t DeviceMemory::live_count() const {
  const std::shared_lock lock(impl_->mutex);
  return impl_->live.size();
}

std::vector<Allocation> DeviceMemory::live() const {
  std::vector<Allocation> result;
  {
    const std::shared_lock lock(impl_->mutex);
    for (const auto& entry : impl_->live) result.push_back(entry.second.allocation);
  }
  std::sort(result.begin(), result.end(), [](const Allocation& a, const Allocation& b) { return a.id < b.id; });
  return result;
}

void DeviceMemory::set_limit(std::size_t bytes) {
  const std::unique_lock lock(impl_->mutex);
  impl_->limit = bytes;
}

std::size_t DeviceMemory::limit() const {
  const std::shared_lock lock(impl_->mutex);
  return impl_->limit;
}

}  // namespace offgrid::emu
