// The pattern in the bytes between an allocation and its guard pages.
#include "memory/slack.h"

namespace offgrid::emu {
namespace {

unsigned char expected_at(std::uintptr_t address) { return address % 2 == 0 ? 0xFE : 0xFF; }

}  // namespace

void fill_slack(std::uintptr_t begin, std::uintptr_t end) {
  for (std::uintptr_t p = begin; p < end; ++p) *reinterpret_cast<unsigned char*>(p) = expected_at(p);
}

bool slack_is_intact(std::uintptr_t begin, std::uintptr_t end) {
  for (std::uintptr_t p = begin; p < end; ++p) {
    if (*reinterpret_cast<const unsigned char*>(p) != expected_at(p)) return false;
  }
  return true;
}

}  // namespace offgrid::emu
