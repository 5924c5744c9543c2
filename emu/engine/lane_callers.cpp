#include "engine/lane_callers.h"

#include <link.h>

#include "engine/state.h"

namespace offgrid::emu {
namespace {

constexpr std::size_t kMaxScannedCalls = 16;  // where no frame pointers lead on

struct CodeRange {
  std::uintptr_t begin = 0, end = 0;
  bool holds(std::uintptr_t address) const { return address >= begin && address < end; }
};

struct Search {
  std::uintptr_t address;
  CodeRange found;
};

int look_for_address(dl_phdr_info* module, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const auto& segment = module->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
    const std::uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
    const CodeRange range{begin, begin + segment.p_memsz};
    if (!range.holds(search.address)) continue;
    search.found = range;
    return 1;
  }
  return 0;
}

// The code of the module that holds the kernel.
CodeRange kernel_code(const Lane& lane) {
  static thread_local CodeRange last;
  const auto kernel = reinterpret_cast<std::uintptr_t>(lane.warp->block->launch->lane_fn);
  if (last.holds(kernel)) return last;
  Search search{kernel, {}};
  dl_iterate_phdr(&look_for_address, &search);
  return last = search.found;
}

std::uintptr_t word(std::uintptr_t at) { return *reinterpret_cast<const std::uintptr_t*>(at); }

// True if the instruction in front of this address looks like a call.
bool follows_call(std::uintptr_t address, const CodeRange& code) {
#if defined(__x86_64__)
  if (!code.holds(address - 7) || !code.holds(address)) return false;
  const auto* end = reinterpret_cast<const unsigned char*>(address);
  if (end[-5] == 0xE8) return true;
  for (int length = 2; length <= 7; ++length) {
    if (end[-length] == 0xFF && (end[-length + 1] & 0x38) == 0x10) return true;
  }
  return false;
#else
  return code.holds(address);
#endif
}

}  // namespace

std::size_t find_callers(const CodePoint& at, const Lane& lane, std::uintptr_t* callers, std::size_t max) {
  if (!lane.stack) return 0;
  const auto& stack = *static_cast<const Stack*>(lane.stack);
  const auto low = reinterpret_cast<std::uintptr_t>(stack.bottom);
  const auto high = reinterpret_cast<std::uintptr_t>(stack.top);
  const CodeRange code = kernel_code(lane);
  const auto is_frame = [&](std::uintptr_t a) { return a >= low && a < high && high - a >= 16 && a % 8 == 0; };
  std::size_t count = 0;
  std::uintptr_t frame = at.frame;
  if (!is_frame(frame) || !code.holds(at.pc)) {
    // The kernel's frame is in the register, or the first function that uses the register has saved it.
    const bool saved = !is_frame(frame);
    std::size_t words = 0;
    for (std::uintptr_t slot = (at.stack + 7) & ~std::uintptr_t{7}; is_frame(slot) && words < kMaxScannedCalls;
         slot += 8) {
      if (saved && slot >= frame && is_frame(frame)) break;
      if (saved && !is_frame(frame) && word(slot) > slot && is_frame(word(slot)) &&
          follows_call(word(word(slot) + 8), code))
        frame = word(slot);
      if (!follows_call(word(slot), code)) continue;
      if (count < max) callers[count++] = word(slot) - 1;
      ++words;
      if (!saved) break;
    }
  }
  while (is_frame(frame) && count < max) {
    const std::uintptr_t next = word(frame);
    callers[count++] = word(frame + 8) - 1;
    if (next <= frame) break;
    frame = next;
  }
  return count;
}

bool is_foreign_code(std::uintptr_t pc, const Lane& lane) { return !kernel_code(lane).holds(pc); }

}  // namespace offgrid::emu
