#include "engine/wrapped_index.h"

#include "engine/buffer_name.h"
#include "engine/kernel_arguments.h"
#include "engine/state.h"

namespace offgrid::emu {
namespace {

// 4 wraps of an index to 16-byte elements, 64 of one to bytes.
constexpr std::int64_t kMaxDistance = 64;

}  // namespace

std::optional<WrappedIndex> find_wrapped_index(const LaunchState& launch, std::uintptr_t address) {
  std::optional<WrappedIndex> nearest;
  std::int64_t nearest_distance = kMaxDistance + 1;
  for (const KernelArgument& argument : kernel_arguments(*launch.kernel, launch.closure)) {
    const AddressInfo info = DeviceMemory::instance().find(argument.value);
    if (info.what != AddressClass::kInside) continue;
    for (std::int64_t distance = 1; distance < nearest_distance; ++distance) {
      for (const std::int64_t sign : {1, -1}) {
        const std::uintptr_t meant = address + static_cast<std::uintptr_t>(sign * distance * (std::int64_t{1} << 32));
        if (meant < info.allocation.begin || meant >= info.allocation.end()) continue;
        nearest = {info.allocation, meant};
        nearest_distance = distance;
      }
    }
  }
  return nearest;
}

void explain_wrapped_index(Finding& finding, const LaunchState& launch, const WrappedIndex& wrapped,
                           std::uintptr_t address, const char* verb) {
  const BufferName there = name_of_buffer(launch, wrapped.allocation, address);
  const BufferName meant = name_of_buffer(launch, wrapped.allocation, wrapped.intended);
  finding.id = FindingId::kOutOfBounds;
  finding.headline = std::string(verb) + " of " + there.name + " at " + there.element + ", a 32-bit index wrapped";
  finding.notes.push_back("without the wrap it would have been " + meant.element + ", inside the buffer");
  finding.help = "a product of 32-bit numbers did not fit: make one factor 64 bits wide, as in (long long)row * stride";
  describe_buffer(finding, there, wrapped.allocation);
}

}  // namespace offgrid::emu
