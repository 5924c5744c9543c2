#include "check/numerics/nan_report.h"

#include <offgrid/emu/engine.h>
#include <offgrid/emu/memory.h>
#include <offgrid/emu/numerics/nan_tag.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "check/numerics/nan_events.h"
#include "engine/buffer_name.h"

namespace offgrid::emu {
namespace {

constexpr std::size_t kNamed = 4;  // elements and threads that a report names

/// The code that made a NaN, and the call that led there.
using Origin = std::pair<std::uintptr_t, std::uintptr_t>;
Origin origin_of(const NanEvent& event) { return {event.pc, event.callers[0]}; }

/// A NaN in memory.
struct Sighting {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
};

/// What one origin brought into memory.
struct Arrivals {
  std::vector<unsigned> tags;  // ascending, each once
  std::vector<Sighting> first;
  std::uintptr_t last = 0;
  std::size_t elements = 0;
  bool narrowed = false;
};
using ArrivalsByOrigin = std::map<Origin, Arrivals>;

/// The first event whose NaN went into a 16-bit number, or 0.
unsigned first_narrowed() {
  for (unsigned tag = 1; tag <= nan_event_count(); ++tag) {
    if (nan_event(tag).narrowed) return tag;
  }
  return 0;
}

void add(ArrivalsByOrigin& found, unsigned tag, Sighting where, bool narrowed) {
  if (tag == 0 || tag > nan_event_count()) return;
  Arrivals& arrivals = found[origin_of(nan_event(tag))];
  const auto at = std::lower_bound(arrivals.tags.begin(), arrivals.tags.end(), tag);
  if (at == arrivals.tags.end() || *at != tag) arrivals.tags.insert(at, tag);
  if (arrivals.first.size() < kNamed) arrivals.first.push_back(where);
  arrivals.last = where.address;
  ++arrivals.elements;
  arrivals.narrowed |= narrowed;
}

constexpr std::uint32_t kNarrowNan = 0x7FFF;  // the one that conversions give

/// A 16-bit number in front of the first whole word, or behind the last.
void look_for_half(ArrivalsByOrigin& found, unsigned tag, std::uintptr_t address, std::uintptr_t end) {
  if (address + 2 > end) return;
  std::uint16_t bits;
  std::memcpy(&bits, reinterpret_cast<const void*>(address), sizeof bits);
  if (bits == kNarrowNan) add(found, tag, {address, 2}, true);
}

/// A word with no tag can hold NaNs of 16 bits, or one that was 16 bits wide before.
void look_for_narrowed(ArrivalsByOrigin& found, unsigned tag, std::uintptr_t address, std::uint32_t word) {
  constexpr std::uint32_t kWidened = 0x7FFFFFFF;
  if (word == kWidened) return add(found, tag, {address, 4}, true);
  if ((word & 0xFFFF) == kNarrowNan) add(found, tag, {address, 2}, true);
  if (word >> 16 == kNarrowNan) add(found, tag, {address + 2, 2}, true);
}

ArrivalsByOrigin scan(std::uintptr_t begin, std::size_t bytes) {
  ArrivalsByOrigin found;
  const unsigned narrowed = first_narrowed();
  const std::uintptr_t end = begin + bytes;
  const std::uintptr_t first_word = (begin + 3) & ~std::uintptr_t{3}, last_word = end & ~std::uintptr_t{3};
  if (narrowed && first_word >= begin + 2) look_for_half(found, narrowed, first_word - 2, end);
  for (std::uintptr_t at = first_word; at + 4 <= end; at += 4) {
    std::uint32_t word;
    std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
    if ((~word & 0x7F800000u) != 0 && narrowed == 0)
      continue;  // neither a float NaN nor the upper half of a double one
    if (const unsigned tag = tag_of_float(word)) {
      add(found, tag, {at, 4}, false);
      continue;
    }
    std::uint64_t wide = 0;
    if (at >= begin + 4) std::memcpy(&wide, reinterpret_cast<const void*>(at - 4), sizeof wide);
    if (const unsigned tag = tag_of_double(wide)) {
      add(found, tag, {at - 4, 8}, false);
    } else if (narrowed) {
      look_for_narrowed(found, narrowed, at, word);
    }
  }
  if (narrowed && last_word >= first_word) look_for_half(found, narrowed, last_word, end);
  return found;
}

std::string help_for(const NanCreation& what) {
  switch (what.operation) {
    case FloatOperation::kAdd:
    case FloatOperation::kSubtract:
    case FloatOperation::kFused:
      return "guard the case that both are infinite; in a softmax, a row with all scores masked has the maximum -inf: "
             "subtract 0 there";
    case FloatOperation::kMultiply:
      return "select instead of multiplying by 0: infinity times 0 is NaN";
    case FloatOperation::kDivide:
      return "guard the divisor, as in sum > 0 ? value / sum : 0";
    case FloatOperation::kSquareRoot:
      return "rounding can make a difference negative: clamp it, as in sqrtf(fmaxf(x, 0))";
  }
  return {};
}

std::string joined(const std::vector<std::string>& items, std::size_t in_all, const char* unit) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() && in_all == items.size() ? " and " : ", ";
    text += items[i];
  }
  if (in_all > items.size()) text += " and " + std::to_string(in_all - items.size()) + " more " + unit;
  return text;
}

std::string thread_text(const NanEvent& event) {
  const auto text = [](const Index3& i) {
    return "(" + std::to_string(i.x) + ", " + std::to_string(i.y) + ", " + std::to_string(i.z) + ")";
  };
  return "block " + text(event.block) + " thread " + text(event.thread);
}

/// The other lanes that made NaNs here which arrived.
std::string other_lanes(const std::vector<unsigned>& tags) {
  std::vector<std::string> lanes;
  const std::string first = thread_text(nan_event(tags.front()));
  for (const unsigned tag : tags) {
    std::string lane = thread_text(nan_event(tag));
    if (lane != first && std::find(lanes.begin(), lanes.end(), lane) == lanes.end()) lanes.push_back(std::move(lane));
  }
  const std::size_t in_all = lanes.size();
  lanes.resize(std::min(lanes.size(), kNamed));
  return lanes.empty() ? "" : "the same in " + joined(lanes, in_all, "threads");
}

/// So that what other instructions of the line brought can be named with these.
ElementRange elements_of(const Arrivals& arrivals, const Allocation& allocation, const BufferName& name) {
  const std::size_t bytes = arrivals.first.front().bytes;
  const auto number = [&](std::uintptr_t address) {
    return static_cast<long long>((address - allocation.begin) / bytes);
  };
  std::string buffer = name.name;
  std::erase(buffer, '`');
  return {std::move(buffer), number(arrivals.first.front().address), number(arrivals.last), ""};
}

void report(const Arrivals& arrivals, const Allocation& allocation) {
  const NanEvent& event = nan_event(arrivals.tags.front());
  std::vector<std::string> items;
  for (const Sighting& s : arrivals.first)
    items.push_back(name_of_buffer(arguments_of(event), allocation, s.address, s.bytes).item);
  const BufferName first =
      name_of_buffer(arguments_of(event), allocation, arrivals.first.front().address, arrivals.first.front().bytes);

  Finding finding;
  finding.id = FindingId::kNanCreated;
  const std::string what = event.what.text();
  finding.headline = (event.in_library ? "a math function gives NaN (" + what + " inside it)" : what + " gives NaN") +
                     ", and the NaN reaches " + items.front();
  finding.place = place_of(event);
  const auto end = std::find(event.callers, event.callers + NanEvent::kMaxCallers, std::uintptr_t{0});
  finding.sites.push_back({"at", {}, event.pc, "", {event.callers, end}});
  finding.element = elements_of(arrivals, allocation, first);
  if (arrivals.narrowed) finding.notes.push_back("on the way it was converted to a 16-bit number");
  describe_buffer(finding, first, allocation);
  if (arrivals.elements > 1)
    finding.notes.push_back("NaNs of this line are in " + joined(items, arrivals.elements, "elements"));
  if (std::string others = other_lanes(arrivals.tags); !others.empty()) finding.notes.push_back(std::move(others));
  finding.help = event.in_library
                     ? "check the function's argument: logf of a negative number is NaN, powf of one often, "
                       "sinf of an infinite one"
                     : help_for(event.what);
  finding_sink().add(std::move(finding));
}

void check(std::uintptr_t begin, std::size_t bytes) {
  static std::mutex mutex;
  static auto* reported = new std::set<Origin>;  // used until the very end of the process
  const AddressInfo info = DeviceMemory::instance().find(begin);
  if (info.what != AddressClass::kInside) return;
  const Shape& shape = info.allocation.shape;
  if (!shape.element.empty() && shape.element_bytes == 1) return;  // codes: four of them can look like a tagged NaN
  const std::lock_guard lock(mutex);
  std::vector<Arrivals> news;
  for (auto& [origin, arrivals] : scan(begin, std::min(bytes, info.allocation.end() - begin))) {
    if (reported->insert(origin).second) news.push_back(std::move(arrivals));
  }
  std::sort(news.begin(), news.end(), [](const Arrivals& a, const Arrivals& b) { return a.tags[0] < b.tags[0]; });
  for (const Arrivals& arrivals : news) report(arrivals, info.allocation);
}

}  // namespace

void nan_check_copied_out(const void* from, std::size_t bytes) {
  if (nan_event_count() > 0) check(reinterpret_cast<std::uintptr_t>(from), bytes);
}

void nan_check_host_visible() {
  if (nan_event_count() == 0) return;
  for (const Allocation& a : DeviceMemory::instance().live()) {
    if (a.kind != MemoryKind::kDevice) check(a.begin, a.bytes);
  }
}

}  // namespace offgrid::emu
