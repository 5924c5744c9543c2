#include "check/actor.h"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "check/history.h"

namespace offgrid::emu::check {
namespace {

std::string triple(unsigned x, unsigned y, unsigned z) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

}  // namespace

std::string lane_text(const ResidentBlock& block, unsigned thread) {
  const unsigned warp_size = static_cast<unsigned>(block.warp_size);
  return "thread " +
         triple(thread % block.dim[0], thread / block.dim[0] % block.dim[1], thread / (block.dim[0] * block.dim[1])) +
         " warp " + std::to_string(thread / warp_size) + " lane " + std::to_string(thread % warp_size);
}

std::string actor_text(const ResidentBlock& shape, const Segment& segment, unsigned thread, bool with_block) {
  std::string text;
  if (with_block) {
    const BlockName& name = block_name(segment.block);
    text = "block " + triple(name.index[0], name.index[1], name.index[2]) + " ";
  }
  return text + lane_text(shape, thread);
}

std::string value_text(std::uintptr_t address, std::size_t bytes, const std::string& type) {
  const auto* p = reinterpret_cast<const void*>(address);
  char text[40] = "";
  if (bytes == 4) {
    float f;
    std::int32_t i;
    std::memcpy(&f, p, 4);
    std::memcpy(&i, p, 4);
    const float size = std::fabs(f);
    const bool is_float = type == "float" || (type.empty() && size > 1e-6f && size < 1e9f);
    is_float ? std::snprintf(text, sizeof text, "%.6g", static_cast<double>(f))
             : std::snprintf(text, sizeof text, "%d", i);
  } else if (bytes == 8) {
    double d;
    std::int64_t i;
    std::memcpy(&d, p, 8);
    std::memcpy(&i, p, 8);
    const bool is_double = type == "double" || (type.empty() && std::fabs(d) > 1e-12 && std::fabs(d) < 1e15);
    is_double ? std::snprintf(text, sizeof text, "%.9g", d)
              : std::snprintf(text, sizeof text, "%lld", static_cast<long long>(i));
  } else if (bytes <= 2) {
    std::uint16_t u = 0;
    std::memcpy(&u, p, bytes);
    std::snprintf(text, sizeof text, "0x%0*x", static_cast<int>(2 * bytes), u);
  }
  return text;
}

}  // namespace offgrid::emu::check
