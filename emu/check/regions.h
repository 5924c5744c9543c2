/// What lies at an address: the smallest thing with a name that an access must stay in.
#pragma once

#include <offgrid/emu/memory.h>
#include <offgrid/emu/shared_variable.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace offgrid::emu {
struct ResidentBlock;
struct LaunchState;
}  // namespace offgrid::emu

namespace offgrid::emu::check {

enum class RegionKind : std::uint8_t {
  kNone,              ///< nothing that the checks know: host memory, constants
  kHeap,              ///< one device allocation
  kSharedStatic,      ///< one `__shared__` variable
  kSharedDynamic,     ///< the dynamic shared memory
  kStack,             ///< the lanes' stacks
  kVariable,          ///< one variable of the program
  kBetweenVariables,  ///< in the data of the program, but in no variable: tables without a name, or a stray write
  kOutside,           ///< in the window, but in nothing
};

struct Region {
  RegionKind kind = RegionKind::kNone;
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::uintptr_t base = 0;                   ///< address minus this is the place in the metadata
  const SharedVariable* variable = nullptr;  ///< kSharedStatic
  std::uintptr_t arena = 0;       ///< of shared regions: where the block's memory begins; blocks have several
  bool is_peer = false;           ///< shared memory of another block of the cluster; reports name the block
  unsigned owner[3] = {0, 0, 0};  ///< of shared regions: the block's index

  bool is_shared() const { return kind == RegionKind::kSharedStatic || kind == RegionKind::kSharedDynamic; }
  bool has_cells() const { return kind == RegionKind::kHeap || is_shared() || kind == RegionKind::kVariable; }
};

/// The live allocations, for lookups without a lock: the observer adds and removes.
void region_added(std::uintptr_t begin, std::size_t bytes);
void region_removed(std::uintptr_t begin);

/// A block runs in this launch: its shared memory is no other block's.
void arena_added(const ResidentBlock& block);
/// A new launch begins; records of blocks do not outlive theirs.
void forget_arenas();

/// True for `__constant__` memory.
bool is_constant_memory(std::uintptr_t address);

/// The region of an address in a running block's eyes.
Region find_region(const ResidentBlock& block, std::uintptr_t address);

/// All of a block's shared memory that has been placed.
std::vector<Region> shared_regions(const ResidentBlock& block);

/// The region that an address outside all of them most likely belongs to: the nearest one, in shared memory the
/// variable before. kNone if there is nothing near.
Region nearest_region(const ResidentBlock& block, std::uintptr_t address);

// Names for reports. launch may be null.

/// "`tile`", "`part`" (the kernel's own name for it), "dynamic shared memory", "allocation #3".
std::string region_name(const LaunchState* launch, const Region& region);
/// "`tile[40]`": `bytes` is the size of the access, for where no element size is known.
std::string region_item(const LaunchState* launch, const Region& region, std::uintptr_t address, std::size_t bytes);
/// "element 40 of `scale`, which is float[40], global memory".
std::string element_text(const LaunchState* launch, const Region& region, std::uintptr_t address, std::size_t bytes);
/// "float", or empty.
std::string region_type(const LaunchState* launch, const Region& region);
/// Bytes of an element, at most; 0: not known.
std::size_t region_element_bytes(const LaunchState* launch, const Region& region);
/// False where every byte of an element is known to belong to one of its members.
bool region_may_have_padding(const LaunchState* launch, const Region& region);
/// Where elements are counted from: the pointer that the kernel got, or the region's begin.
std::uintptr_t region_origin(const LaunchState* launch, const Region& region);

/// How a range of addresses in a region is told.
struct RangeUnit {
  std::size_t bytes = 0;          ///< of an element; 0: the range is not told
  std::uintptr_t base = 0;        ///< elements are counted from here; of shared memory, from the arena's begin
  std::string buffer;             ///< its name, without quotes
  std::vector<unsigned> extents;  ///< of an array declared with several
};
/// `bytes` is the size of the access, for where no element size is known.
RangeUnit range_unit(const LaunchState* launch, const Region& region, std::size_t bytes);

}  // namespace offgrid::emu::check
