#include "check/bounds.h"

#include <offgrid/emu/engine.h>

#include "check/actor.h"
#include "check/book.h"
#include "memory/window.h"

namespace offgrid::emu::check {
namespace {

const char* role(const Access& access) { return access.kind == AccessKind::kRead ? "read" : "write"; }

BookEntry& entry_for(FindingId id, const Access& access, bool& is_new) { return book().at({id, access.pc, 0}, is_new); }

void begin(Finding& finding, FindingId id, const Access& access) {
  finding.id = id;
  finding.sites.push_back({role(access), {}, access.pc - 1, ""});
  finding.place = place_of(*access.lane);
}

void note_allocation(Finding& finding, const Region& region) {
  if (region.kind == RegionKind::kSharedStatic) finding.sites.push_back({"declared", region.variable->where, 0, ""});
  if (region.kind != RegionKind::kHeap) return;
  const Allocation a = DeviceMemory::instance().find(region.begin).allocation;
  if (a.site.file || a.site_pc) finding.sites.push_back({"allocated", a.site, a.site_pc, ""});
}

std::string distance_text(const Region& region, std::uintptr_t address) {
  if (address < region.begin) return std::to_string(region.begin - address) + " bytes before the start of ";
  const std::size_t past = address - (region.begin + region.bytes);
  return past == 0 ? "just past the end of " : std::to_string(past) + " bytes past the end of ";
}

}  // namespace

void report_out_of_bounds(const Access& access, const Region& region) {
  const ResidentBlock& block = *checks_of(*access.lane).block->block;
  const LaunchState* launch = block.launch;
  const bool crosses = region.bytes != 0;
  const Region near = crosses ? region : nearest_region(block, access.address);
  launch->error.load() == LaunchError::kNone
      ? const_cast<LaunchState*>(launch)->error.store(LaunchError::kIllegalAddress)
      : void();
  bool is_new = false;
  BookEntry& entry = entry_for(FindingId::kOutOfBounds, access, is_new);
  widen(entry, access.address - near.arena, access.bytes);
  if (!is_new) return;
  Finding& f = entry.finding;
  begin(f, FindingId::kOutOfBounds, access);
  if (near.bytes == 0) {
    f.id = FindingId::kIllegalAddress;
    f.headline = std::string(role(access)) + (window().contains(access.address)
                                                  ? " of the shared memory of another block"
                                                  : " at an address that belongs to no allocation");
    return;
  }
  f.headline = std::string(role(access)) + " of " + std::to_string(access.bytes) + " bytes " +
               (crosses ? "across the end of " : distance_text(near, access.address)) + region_name(launch, near);
  f.notes.push_back(element_text(launch, near, access.address, access.bytes));
  if (near.kind == RegionKind::kSharedDynamic) {
    f.help =
        "the launch's third argument must count every array that the kernel lays out in `extern __shared__` memory";
  }
  note_allocation(f, near);
  entry.range = range_unit(launch, near, access.bytes);
}

void report_misaligned(const Access& access, const Region& region, std::size_t alignment, const char* what) {
  const LaunchState* launch = checks_of(*access.lane).block->block->launch;
  bool is_new = false;
  BookEntry& entry = entry_for(FindingId::kMisaligned, access, is_new);
  if (!is_new) return;
  const bool is_known = region.has_cells();
  Finding& f = entry.finding;
  begin(f, FindingId::kMisaligned, access);
  f.headline = std::string(role(access)) + " of " + what + " at an address that is " +
               std::to_string(access.address % alignment) + " bytes off a multiple of " + std::to_string(alignment) +
               (is_known ? ", in " + region_name(launch, region) : "");
  if (is_known) {
    f.notes.push_back("byte " + std::to_string(access.address - region.begin) + " of " + region_name(launch, region));
    note_allocation(f, region);
  }
}

void report_write_to_constant(const Access& access, const Region& region) {
  const LaunchState* launch = checks_of(*access.lane).block->block->launch;
  bool is_new = false;
  BookEntry& entry = entry_for(FindingId::kWriteToReadOnly, access, is_new);
  widen(entry, access.address, access.bytes);
  if (!is_new) return;
  Finding& f = entry.finding;
  begin(f, FindingId::kWriteToReadOnly, access);
  f.headline = "write to " + region_item(launch, region, access.address, access.bytes) + ", which is constant memory";
  f.help = "constant memory is written by the host alone, with cudaMemcpyToSymbol";
  entry.range = range_unit(launch, region, access.bytes);
}

}  // namespace offgrid::emu::check
