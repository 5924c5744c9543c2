// What reports call a region, and the element at an address in it.
#include <offgrid/emu/variable_type.h>

#include <algorithm>

#include "check/regions.h"
#include "check/symbols.h"
#include "engine/buffer_name.h"
#include "engine/kernel_arguments.h"
#include "engine/state.h"
#include "report/folded_range.h"

// The bounds of the section in which the rewriter lists device variables, made by the linker if there are any.
extern "C" {
__attribute__((weak, visibility("hidden"))) extern const offgrid::emu::VariableType __start_offgrid_variables[];
__attribute__((weak, visibility("hidden"))) extern const offgrid::emu::VariableType __stop_offgrid_variables[];
}

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

/// Null: not known. A union's or a class's bytes are counted as its own.
const ElementType* declared_type(const Region& region) {
  if (region.kind == RegionKind::kSharedStatic) return region.variable->type;
  if (region.kind != RegionKind::kVariable) return nullptr;
  const auto is_here = [&](const VariableType& v) {
    return reinterpret_cast<std::uintptr_t>(v.address) == region.begin;
  };
  const auto* found = std::find_if(__start_offgrid_variables, __stop_offgrid_variables, is_here);
  return found == __stop_offgrid_variables ? nullptr : found->type;
}

/// Whose shared memory it is, where that is not the block's that is spoken of.
std::string owner_text(const Region& region) {
  if (!region.is_peer) return "";
  const auto& o = region.owner;
  return " of block (" + std::to_string(o[0]) + ", " + std::to_string(o[1]) + ", " + std::to_string(o[2]) + ")";
}

std::size_t unit(const LaunchState* launch, const Region& region, std::size_t access_bytes) {
  const std::size_t known = region_element_bytes(launch, region);
  return std::max<std::size_t>(1, known ? known : std::min(access_bytes, region.bytes));
}

/// "float[16][17]"; empty: not known.
std::string declaration_text(const ElementType* type) {
  if (!type || type->bytes == 0) return "";
  std::string text = type_name(type->text);
  for (unsigned d = 0; d < type->rank; ++d) text += "[" + std::to_string(type->extents[d]) + "]";
  return text;
}

std::vector<unsigned> extents_of(const ElementType& type) { return {type.extents, type.extents + type.rank}; }

/// An address in a declared variable, as reports count in it.
struct Declared {
  std::string index;    ///< "[2][6]"; empty for what is no array
  std::string element;  ///< "element [2][6] of ", "element 40 of "
  std::string inside;   ///< "byte 12 of ", if it is not the element's first

  Declared(const ElementType& type, const Region& region, std::uintptr_t address) {
    const long long number = index_of(address, region.begin, type.bytes);
    const auto byte = static_cast<long long>(address - region.begin) - number * type.bytes;
    if (byte != 0) inside = "byte " + std::to_string(byte) + " of ";
    if (type.rank == 0 && number == 0) return;
    index = element_index_text(extents_of(type), number);
    element = "element " + (type.rank > 1 ? index : std::to_string(number)) + " of ";
  }
};

const char* memory_name(const Region& region) {
  return region.is_shared()                     ? "shared memory"
         : region.kind == RegionKind::kVariable ? "a device variable"
                                                : "global memory";
}

}  // namespace

std::string region_name(const LaunchState* launch, const Region& region) {
  if (region.kind == RegionKind::kSharedDynamic) return "the dynamic shared memory" + owner_text(region);
  if (region.kind == RegionKind::kHeap) {
    return name_of_buffer(arguments_of(launch), allocation_of(region), region.begin).name;
  }
  return "`" + plain_name(region) + "`" + owner_text(region);
}

std::string region_type(const LaunchState* launch, const Region& region) {
  if (const ElementType* type = declared_type(region)) return type_name(type->text);
  return region.kind == RegionKind::kHeap ? pointer_into(launch, region).pointee : std::string();
}

std::size_t region_element_bytes(const LaunchState* launch, const Region& region) {
  if (const ElementType* type = declared_type(region)) return type->bytes;
  if (region.kind != RegionKind::kHeap) return 0;
  const KernelArgument pointer = pointer_into(launch, region);
  return pointer.value ? pointer.pointee_bytes : 0;
}

bool region_may_have_padding(const LaunchState* launch, const Region& region) {
  if (const ElementType* type = declared_type(region)) return type->has_padding;
  if (region.kind != RegionKind::kHeap) return true;
  const KernelArgument pointer = pointer_into(launch, region);
  return !pointer.value || !pointer.has_elements || pointer.has_padding;
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
  if (const ElementType* type = declared_type(region); type && type->bytes != 0) {
    const Declared at(*type, region, address);
    return at.inside + "`" + plain_name(region) + at.index + "`" + owner_text(region);
  }
  const std::string index = std::to_string(index_of(address, region.begin, unit(launch, region, bytes)));
  if (region.kind == RegionKind::kSharedDynamic) return "dynamic shared memory [" + index + "]" + owner_text(region);
  return "`" + plain_name(region) + "[" + index + "]`" + owner_text(region);
}

std::string element_text(const LaunchState* launch, const Region& region, std::uintptr_t address, std::size_t bytes) {
  if (region.kind == RegionKind::kHeap) {
    return name_of_buffer(arguments_of(launch), allocation_of(region), address, bytes).sentence();
  }
  if (const ElementType* type = declared_type(region); type && type->bytes != 0) {
    const Declared at(*type, region, address);
    return at.inside + at.element + region_name(launch, region) + ", which is " + declaration_text(type) + ", " +
           memory_name(region);
  }
  const std::size_t size = unit(launch, region, bytes);
  return "element " + std::to_string(index_of(address, region.begin, size)) + " (byte " +
         std::to_string(index_of(address, region.begin, 1)) + ") of " + region_name(launch, region) + ", which has " +
         std::to_string(region.bytes) + " bytes (elements 0.." +
         std::to_string(static_cast<long long>(region.bytes / size) - 1) + "), " + memory_name(region);
}

RangeUnit range_unit(const LaunchState* launch, const Region& region, std::size_t bytes) {
  const ElementType* type = declared_type(region);
  RangeUnit range;
  if (!type || type->rank != 0) range.bytes = unit(launch, region, bytes);
  range.base = region_origin(launch, region) - region.arena;
  range.buffer = region.kind == RegionKind::kSharedDynamic ? "dynamic shared memory"
                 : region.kind == RegionKind::kHeap        ? region_name(launch, region)
                                                           : plain_name(region);
  std::erase(range.buffer, '`');
  if (type && type->rank > 1) range.extents = extents_of(*type);
  return range;
}

}  // namespace offgrid::emu::check
