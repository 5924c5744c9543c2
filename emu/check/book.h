/// Findings of one launch, gathered: what repeats at one place is one finding with a count and a range.
#pragma once

#include <offgrid/emu/finding.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "check/regions.h"

namespace offgrid::emu::check {

/// What makes two findings the same, before their addresses are resolved.
struct BookKey {
  FindingId id = FindingId::kCount;
  std::uintptr_t first = 0, second = 0;  ///< places in the code
  auto operator<=>(const BookKey&) const = default;
};

struct BookEntry {
  Finding finding;
  std::uint64_t times = 0;
  std::uintptr_t lowest = ~std::uintptr_t{0}, highest = 0;  ///< addresses that took part
  RangeUnit range;                                          ///< how they are told
  std::uintptr_t unwritten_read = 0;                        ///< the place of a load that found nothing written
  unsigned same_value = 0;                                  ///< races of two writes: how many stored what was there
  bool other_value = false;                                 ///< and whether one stored something else
};

class Book {
 public:
  /// The entry of a key; `is_new` says that its finding is still to be written.
  BookEntry& at(const BookKey& key, bool& is_new);
  BookEntry* known(const BookKey& key);
  /// Hands everything to the process's sink, in the order of its first occurrence, and is empty again.
  void flush();
  bool empty() const { return entries_.empty(); }

 private:
  std::map<BookKey, BookEntry> entries_;
  std::vector<BookKey> order_;
};

/// The running launch's.
Book& book();

/// Notes that an address took part in an entry.
void widen(BookEntry& entry, std::uintptr_t address, std::size_t bytes);

}  // namespace offgrid::emu::check
