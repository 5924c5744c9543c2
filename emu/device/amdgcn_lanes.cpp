// Which lane the exchange instructions of AMD's devices read.
#include <offgrid/emu/device/dpp.h>
#include <offgrid/emu/device/index.h>
#include <offgrid/emu/engine/trap.h>

#include <cstdio>

namespace offgrid::emu::amdgcn {
namespace {

[[noreturn]] void unknown(const char* what, unsigned control) {
  char text[96];
  std::snprintf(text, sizeof text, "%s 0x%x, which this device does not have", what, control);
  lane_trap(FindingId::kUnsupported, text, offgrid_tls.lane->site);
}

// Shifts and rotations of the whole wave, and broadcasts into the next rows, ended with gfx9, whose waves have 64
// lanes.
unsigned wave_source(unsigned lane, unsigned control) {
  const unsigned size = static_cast<unsigned>(offgrid_warp_size()), last = size - 1;
  if (size != 64) unknown("DPP control", control);
  switch (control) {
    case 0x130:
      return lane == last ? kNoLane : lane + 1;
    case 0x134:
      return (lane + 1) & last;
    case 0x138:
      return lane == 0 ? kNoLane : lane - 1;
    case 0x13c:
      return (lane - 1) & last;
    case 0x142:
      return lane < 16 ? kNoLane : (lane & ~15u) - 1;
    case 0x143:
      return lane < 32 ? kNoLane : 31;
    default:
      unknown("DPP control", control);
  }
}

}  // namespace

unsigned dpp_source(unsigned lane, unsigned control) {
  const unsigned row = lane & ~15u, at = lane & 15u, n = control & 15u;
  if (control <= 0xff) return (lane & ~3u) | (control >> 2 * (lane & 3) & 3);  // quad_perm
  switch (control & ~15u) {
    case 0x100:  // row_shl
      if (n == 0) break;
      return at + n > 15 ? kNoLane : lane + n;
    case 0x110:  // row_shr
      if (n == 0) break;
      return at < n ? kNoLane : lane - n;
    case 0x120:  // row_ror
      if (n == 0) break;
      return row | ((at - n) & 15);
    case 0x140:
      if (n == 0) return row | (15 - at);                // row_mirror
      if (n == 1) return (lane & ~7u) | (7 - lane % 8);  // row_half_mirror
      break;
    case 0x150:  // row_share
      return row | n;
    case 0x160:  // row_xmask
      return lane ^ n;
    default:
      break;
  }
  return wave_source(lane, control);
}

unsigned swizzle_source(unsigned lane, unsigned offset) {
  const unsigned group = lane & ~31u, at = lane & 31u;
  if (offset >= 0xe000) unknown("ds_swizzle pattern", offset);
  if (offset >= 0xc000) {  // rotation inside groups that the mask names
    const unsigned mask = offset & 31, n = offset >> 5 & 31;
    return group | (at & mask) | ((offset & 0x400 ? at - n : at + n) & ~mask & 31);
  }
  if (offset & 0x8000) return (lane & ~3u) | (offset >> 2 * (lane & 3) & 3);
  return group | (((at & offset) | (offset >> 5 & 31)) ^ (offset >> 10 & 31));
}

}  // namespace offgrid::emu::amdgcn
