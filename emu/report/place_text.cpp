#include "report/place_text.h"

namespace offgrid::emu {

std::string index_text(const Index3& index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " + std::to_string(index.z) + ")";
}

std::string place_text(const LaunchPlace& place, bool with_kernel) {
  if (place.launch_number == 0) return with_kernel ? place.kernel : "";
  std::string text = with_kernel && !place.kernel.empty() ? place.kernel + ", " : "";
  if (place.has_lane) {
    text += "block " + index_text(place.block) + " thread " + index_text(place.thread) + ", warp " +
            std::to_string(place.warp) + " lane " + std::to_string(place.lane);
  } else {
    text += (place.has_block ? "block " + index_text(place.block) + " of " : "") + "grid " + index_text(place.grid) +
            ", block size " + index_text(place.block_dim);
  }
  return text + ", launch #" + std::to_string(place.launch_number) + " on stream " + std::to_string(place.stream);
}

std::string function_text(const std::string& function, const std::string& kernel) {
  const auto bare = [](const std::string& name) { return name.substr(0, name.find_first_of("<+")); };
  if (function.empty() && kernel.empty()) return "";
  if (kernel.empty()) return "in " + function;
  if (function.empty() || bare(function) == bare(kernel)) return "in " + kernel;
  return "in " + function + ", kernel " + kernel;
}

}  // namespace offgrid::emu
