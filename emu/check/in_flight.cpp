#include "check/in_flight.h"

#include <cstring>

#include "check/undefined.h"

namespace offgrid::emu::check {

void mark_in_flight(const Access& write) {
  std::size_t offset = 0;
  if (!metadata.offset_of(write.address, offset)) return;
  const Region region = find_region(*checks_of(*write.lane).block->block, write.address);
  const OriginId id = in_flight_origin(write, region);
  std::memset(metadata.shadow + offset, 0xFF, write.bytes);
  for (std::size_t word = offset / 4; word <= (offset + write.bytes - 1) / 4; ++word) metadata.origin[word] = id;
}

bool is_in_flight(OriginId id) { return origin(id).kind == OriginKind::kInFlight; }

void report_read_in_flight(OriginId id, std::uintptr_t pc) {
  if (const Lane* lane = offgrid_tls.lane) report_undefined(*lane, id, "read", pc, "");
}

}  // namespace offgrid::emu::check
