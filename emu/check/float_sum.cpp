// A sum of floats depends on the order of its terms if any addition rounds. Locations that got terms from several warps
// are summed again in other orders of blocks and warps; only if the bits differ there is a finding.
#include "check/float_sum.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "check/book.h"
#include "check/regions.h"

namespace offgrid::emu::check {
namespace {

constexpr std::size_t kMostTerms = std::size_t{1} << 20;  // of a launch; later ones are not looked at
constexpr std::size_t kMostLocations = 4096;

struct Term {
  double value;
  std::uint64_t block;
  unsigned warp;
  std::size_t number;  // in the order of this run
};

struct Location {
  double before = 0;
  std::size_t bytes = 4;
  std::uintptr_t pc = 0;
  LaunchPlace place;
  std::vector<Term> terms;
};

struct Sums {
  std::unordered_map<std::uintptr_t, Location> locations;
  std::size_t terms = 0;
};

Sums& sums() {
  static Sums all;
  return all;
}

template <class T>
T in_order(const Location& location, const std::vector<Term>& terms) {
  T sum = static_cast<T>(location.before);
  for (const Term& term : terms) sum += static_cast<T>(term.value);
  return sum;
}

/// Sums in the order in which they came, and with blocks and warps the other way round. True if they differ.
template <class T>
bool differs(const Location& location, double& forward, double& other) {
  std::vector<Term> terms = location.terms;
  const T first = in_order<T>(location, terms);
  const auto changed = [&](T sum) {
    forward = static_cast<double>(first);
    other = static_cast<double>(sum);
    return std::memcmp(&first, &sum, sizeof(T)) != 0;
  };
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    return std::tuple(b.block, b.warp, a.number) < std::tuple(a.block, a.warp, b.number);
  });
  if (changed(in_order<T>(location, terms))) return true;
  // Groups with the largest terms last.
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    return std::tuple(std::abs(a.value), a.number) < std::tuple(std::abs(b.value), b.number);
  });
  return changed(in_order<T>(location, terms));
}

bool several_groups(const Location& location) {
  const Term& first = location.terms.front();
  return std::any_of(location.terms.begin(), location.terms.end(),
                     [&](const Term& t) { return t.block != first.block || t.warp != first.warp; });
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

void report(const LaunchState& launch, std::uintptr_t address, const Location& location, double forward, double other) {
  bool is_new = false;
  BookEntry& entry = book().at({FindingId::kScheduleDependent, location.pc, 0}, is_new);
  widen(entry, address, location.bytes);
  if (!is_new) return;
  const Allocation allocation = DeviceMemory::instance().find(address).allocation;
  Region region{RegionKind::kHeap, allocation.begin, allocation.bytes, 0, nullptr, 0};
  const bool in_heap = allocation.bytes != 0;
  const std::string item =
      in_heap ? region_item(&launch, region, address, location.bytes) : "a shared or device variable";
  Finding& f = entry.finding;
  f.id = FindingId::kScheduleDependent;
  f.severity = Severity::kWarning;
  f.headline = "the sum in " + item + " depends on the order of its " + std::to_string(location.terms.size()) +
               " atomic additions";
  f.sites.push_back({"add", {}, location.pc - 1, ""});
  f.notes.push_back(number(forward) + " in the order of this run, " + number(other) + " in another order");
  f.place = location.place;
  f.place.has_lane = f.place.has_block = false;
  if (in_heap) entry.range = range_unit(&launch, region, location.bytes);
}

}  // namespace

void note_float_add(const Lane& lane, std::uintptr_t address, double value, std::size_t bytes, std::uintptr_t pc) {
  Sums& s = sums();
  if (s.terms >= kMostTerms) return;
  auto found = s.locations.find(address);
  if (found == s.locations.end()) {
    if (s.locations.size() >= kMostLocations) return;
    found = s.locations.emplace(address, Location{}).first;
    Location& location = found->second;
    location.bytes = bytes;
    location.pc = pc;
    location.place = place_of(lane);
    if (bytes == 4) {
      float before;
      std::memcpy(&before, reinterpret_cast<const void*>(address), 4);
      location.before = static_cast<double>(before);
    } else {
      std::memcpy(&location.before, reinterpret_cast<const void*>(address), 8);
    }
  }
  ++s.terms;
  found->second.terms.push_back({value, resident(lane.warp->block).linear_index, lane.warp->index, s.terms});
}

void check_float_sums(const LaunchState& launch) {
  Sums& s = sums();
  for (const auto& [address, location] : s.locations) {
    if (location.terms.size() < 2 || !several_groups(location)) continue;
    double forward = 0, other = 0;
    const bool found =
        location.bytes == 4 ? differs<float>(location, forward, other) : differs<double>(location, forward, other);
    if (found && forward == forward) report(launch, address, location, forward, other);
  }
  s.locations.clear();
  s.terms = 0;
}

}  // namespace offgrid::emu::check
