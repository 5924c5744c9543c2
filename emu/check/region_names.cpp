// What reports call a region, and the element at an address in it.
#include <algorithm>

#include "check/book.h"
#include "check/regions.h"
#include "check/symbols.h"
#include "engine/buffer_name.h"
#include "engine/kernel_arguments.h"
#include "engine/state.h"

namespace offgrid::emu::check {
namespace {

std::vector<KernelArgument> arguments_of(const LaunchState* launch) {
  if (!launch) return {};
  return kernel_arguments(*launch->kernel, launch->closure);
}

Allocation allocation_of(const Region& region) { return DeviceMemory::instance().find(region.begin).allocation; }

/// The declared pointer whose elements a heap region's are.
KernelArgument pointer_into(const LaunchState* launch, const Region& region) {
  KernelArgument best;
  for (const KernelArgument& a : arguments_of(launch)) {
    if (!a.is_pointer || !a.has_elements || a.value - region.begin >= region.bytes) continue;
    if (best.value == 0 || a.value == region.begin) best = a;
    if (a.value == region.begin) break;
  }
  return best;
}

long long index_of(std::uintptr_t address, std::uintptr_t origin, std::size_t size) {
  const auto distance = static_cast<long long>(address) - static_cast<long long>(origin);
  const auto s = static_cast<long long>(size);
  return distance >= 0 ? distance / s : -((-distance + s - 1) / s);
}

std::string plain_name(const Region& region) {
  switch (region.kind) {
    case RegionKind::kSharedStatic:
      return region.variable->name;
    case RegionKind::kVariable:
      return symbol_at(region.begin).name;
    default:
      return "";
  }
}

std::size_t unit(const LaunchState* launch, const Region& region, std::size_t access_bytes) {
  const std::size_t known = region_element_bytes(launch, region);
  return std::max<std::size_t>(1, known ? known : std::min(access_bytes, region.bytes));
}

const char* memory_name(const Region& region) {
  return region.is_shared()                     ? "shared memory"
         : region.kind == RegionKind::kVariable ? "a device variable"
                                                : "global memory";
}

}  // namespace

std::string region_name(const LaunchState* launch, const Region& region) {
  if (region.kind == RegionKind::kSharedDynamic) return "the dynamic shared memory";
  if (region.kind == RegionKind::kHeap) {
    return name_of_buffer(arguments_of(launch), allocation_of(region), region.begin).name;
  }
  return "`" + plain_name(region) + "`";
}

std::string region_type(const LaunchState* launch, const Region& region) {
  return region.kind == RegionKind::kHeap ? pointer_into(launch, region).pointee : std::string();
}

std::size_t region_element_bytes(const LaunchState* launch, const Region& region) {
  if (region.kind != RegionKind::kHeap) return 0;
  const KernelArgument pointer = pointer_into(launch, region);
  return pointer.value ? pointer.pointee_bytes : 0;
}

std::uintptr_t region_origin(const LaunchState* launch, const Region& region) {
  if (region.kind != RegionKind::kHeap) return region.begin;
  const KernelArgument pointer = pointer_into(launch, region);
  return pointer.value ? pointer.value : region.begin;
}

std::string region_item(const LaunchState* launch, const Region& region, std::uintptr_t address, std::size_t bytes) {
  if (region.kind == RegionKind::kHeap) {
    return name_of_buffer(arguments_of(launch), allocation_of(region), address, bytes).item;
  }
  const std::string index = std::to_string(index_of(address, region.begin, unit(launch, region, bytes)));
  if (region.kind == RegionKind::kSharedDynamic) return "dynamic shared memory [" + index + "]";
  return "`" + plain_name(region) + "[" + index + "]`";
}

std::string element_text(const LaunchState* launch, const Region& region, std::uintptr_t address, std::size_t bytes) {
  if (region.kind == RegionKind::kHeap) {
    return name_of_buffer(arguments_of(launch), allocation_of(region), address, bytes).sentence();
  }
  const std::size_t size = unit(launch, region, bytes);
  return "element " + std::to_string(index_of(address, region.begin, size)) + " (byte " +
         std::to_string(index_of(address, region.begin, 1)) + ") of " + region_name(launch, region) + ", which has " +
         std::to_string(region.bytes) + " bytes (elements 0.." +
         std::to_string(static_cast<long long>(region.bytes / size) - 1) + "), " + memory_name(region);
}

void name_range(BookEntry& entry, const LaunchState* launch, const Region& region, std::size_t bytes) {
  entry.element_bytes = unit(launch, region, bytes);
  entry.unit = "element";
  entry.base = region_origin(launch, region) - region.arena;
  entry.buffer = region_name(launch, region);
}

}  // namespace offgrid::emu::check
