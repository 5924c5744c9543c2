/// Runs PTX outside a kernel: for instructions that need no lane.
#pragma once

#include <offgrid/emu/ptx/execute.h>

#include <bit>
#include <cstdint>

namespace offgrid::emu::ptx {

/// The register %0 after `text`, with the inputs in %1, %2, ...
template <class... Inputs>
std::uint32_t run32(const char* text, Inputs... inputs) {
  Site site;
  std::uint32_t out = 0;
  execute(site, text, output("=r", out), input("r", inputs)...);
  return out;
}
template <class... Inputs>
std::uint64_t run64(const char* text, Inputs... inputs) {
  Site site;
  std::uint64_t out = 0;
  execute(site, text, output("=l", out), input("l", inputs)...);
  return out;
}
template <class... Inputs>
float run_float(const char* text, Inputs... inputs) {
  Site site;
  float out = 0;
  execute(site, text, output("=f", out), input("f", inputs)...);
  return out;
}

}  // namespace offgrid::emu::ptx
