// What conversions to 16 bits tell: overflow, and NaNs whose tag gets lost.
#include <offgrid/emu/engine.h>
#include <offgrid/emu/finding.h>
#include <offgrid/emu/numerics/checked_conversion.h>
#include <offgrid/emu/numerics/nan_tag.h>

#include <cmath>
#include <cstdio>
#include <mutex>
#include <set>
#include <utility>

#include "check/numerics/nan_events.h"
#include "engine/lane_callers.h"
#include "engine/observer.h"
#include "engine/state.h"

namespace offgrid::emu {
namespace {

/// Each overflowing place is told once: a kernel can pass there a million times.
bool is_first_at(std::uintptr_t pc, std::uintptr_t caller) {
  static std::mutex mutex;
  static auto* seen = new std::set<std::pair<std::uintptr_t, std::uintptr_t>>;
  const std::lock_guard lock(mutex);
  return seen->emplace(pc, caller).second;
}

}  // namespace

void numerics::note_overflow(bool negative, std::uint64_t significand, int exponent, int mantissa_bits) {
  if (!observer || !offgrid_tls.lane) return;
  const Lane& lane = *offgrid_tls.lane;
  const auto* frame = static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
  const auto pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
  std::uintptr_t callers[NanEvent::kMaxCallers] = {};
  const std::size_t count = find_callers({pc, frame[0], 0}, lane, callers, NanEvent::kMaxCallers);
  if (!is_first_at(pc, callers[0])) return;

  const bool is_half = mantissa_bits == 10;
  char value[32];
  std::snprintf(value, sizeof value, "%.9g", std::ldexp(static_cast<double>(significand), exponent));
  Finding finding;
  finding.id = FindingId::kHalfOverflow;
  finding.severity = Severity::kWarning;
  finding.headline = std::string(negative ? "-" : "") + value + " becomes " + (negative ? "-inf" : "inf") + " in " +
                     (is_half ? "half" : "bfloat16") + ", whose largest number is " + (is_half ? "65504" : "3.39e38");
  finding.sites.push_back({"at", {}, pc, "", {callers, callers + count}});
  finding.place = place_of(lane);
  finding_sink().add(std::move(finding));
}

void numerics::note_narrowed_nan(std::uint64_t bits, bool is_double) {
  const unsigned tag = is_double ? tag_of_double(bits) : tag_of_float(static_cast<std::uint32_t>(bits));
  if (tag > 0 && tag <= nan_event_count()) nan_event(tag).narrowed = true;
}

}  // namespace offgrid::emu
