#include "check/read_too_early.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace offgrid::emu::check {
namespace {

constexpr std::size_t kMostWords = 4096;  // of a place; with more of them, nothing is explained

struct Words {
  std::unordered_set<std::uintptr_t> unwritten, raced;
};

std::unordered_map<std::uintptr_t, Words>& places() {
  static std::unordered_map<std::uintptr_t, Words> all;
  return all;
}

void note(std::unordered_set<std::uintptr_t>& words, std::uintptr_t address) {
  if (words.size() < kMostWords) words.insert(address / 4);
}

}  // namespace

void note_unwritten_read(std::uintptr_t pc, std::uintptr_t address) { note(places()[pc].unwritten, address); }

void note_raced_read(std::uintptr_t pc, std::uintptr_t address) {
  if (const auto place = places().find(pc); place != places().end()) note(place->second.raced, address);
}

bool is_read_too_early(std::uintptr_t pc) {
  const auto place = places().find(pc);
  if (place == places().end()) return false;
  const auto& [unwritten, raced] = place->second;
  return unwritten.size() < kMostWords &&
         std::all_of(unwritten.begin(), unwritten.end(), [&](std::uintptr_t word) { return raced.contains(word); });
}

void forget_early_reads() { places().clear(); }

}  // namespace offgrid::emu::check
