/// Where an undefined value comes from: a number that the instrumentation carries along with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "check/access.h"
#include "check/regions.h"

namespace offgrid::emu::check {

using OriginId = std::uint32_t;  ///< 0: unknown

enum class OriginKind : std::uint8_t {
  kLoad,      ///< memory that nobody had written was read at `pc`
  kLocal,     ///< a local variable without a value
  kStored,    ///< an undefined value of origin `from` was stored at `pc`
  kInFlight,  ///< an asynchronous copy was started at `pc`, and not waited for
};

struct Origin {
  OriginKind kind = OriginKind::kLoad;
  std::uintptr_t pc = 0;
  OriginId from = 0;            ///< kStored
  unsigned depth = 0;           ///< stores on the way
  const char* local = nullptr;  ///< kLocal: its name
  Region region;                ///< kLoad, kInFlight
  std::size_t bytes = 0;        ///< kLoad, kInFlight: of one access
  bool has_padding = false;     ///< kLoad: elements may have bytes that belong to no member
  bool is_padding = false;      ///< kLoad: and these may be such
  LaunchPlace place;
};

/// 0 if what was read may be padding of an element.
OriginId load_origin(const Access& access, const Region& region);
/// A lane copies bytes by a call: those without an origin get one, so that the copy's use can name them. Not where
/// elements may have padding, for copies take that along.
void origins_of_copy(const Access& read);
OriginId local_origin(const char* name);
OriginId stored_origin(OriginId from, std::uintptr_t pc);
OriginId in_flight_origin(const Access& write, const Region& region);
const Origin& origin(OriginId id);
/// The unwritten addresses of a region that were read, from the lowest to the highest, and the lowest in words.
struct UnwrittenSpan {
  std::uintptr_t lowest = ~std::uintptr_t{0}, highest = 0;
  std::string item, element;
  RangeUnit range;
};
const UnwrittenSpan& unwritten_in(const Region& region);
/// The first origin of a chain of stores.
const Origin& root_of(OriginId id);

}  // namespace offgrid::emu::check
