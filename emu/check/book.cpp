#include "check/book.h"

#include <offgrid/emu/engine.h>

#include <algorithm>

#include "check/read_too_early.h"

namespace offgrid::emu::check {
namespace {

long long element_of(const BookEntry& entry, std::uintptr_t address) {
  const auto distance = static_cast<long long>(address) - static_cast<long long>(entry.range.base);
  const auto size = static_cast<long long>(entry.range.bytes);
  return distance >= 0 ? distance / size : -((-distance + size - 1) / size);
}

ElementRange range_of(const BookEntry& entry) {
  return {entry.range.buffer, element_of(entry, entry.lowest), element_of(entry, entry.highest), "",
          entry.range.extents};
}

/// A race whose writes all stored what was there already is a lesser thing.
void settle(BookEntry& entry) {
  Finding& f = entry.finding;
  if (entry.same_value == 0 || entry.other_value) return;
  if (f.id != FindingId::kRaceShared && f.id != FindingId::kRaceGlobal) return;
  f.id = FindingId::kRaceSameValue;
  f.severity = Severity::kWarning;
  f.notes.push_back("all of them stored the value that was there already");
}

}  // namespace

Book& book() {
  static Book the_book;
  return the_book;
}

BookEntry& Book::at(const BookKey& key, bool& is_new) {
  const auto [entry, inserted] = entries_.try_emplace(key);
  is_new = inserted;
  if (inserted) order_.push_back(key);
  ++entry->second.times;
  return entry->second;
}

BookEntry* Book::known(const BookKey& key) {
  const auto entry = entries_.find(key);
  return entry == entries_.end() ? nullptr : &entry->second;
}

void widen(BookEntry& entry, std::uintptr_t address, std::size_t bytes) {
  entry.lowest = std::min(entry.lowest, address);
  entry.highest = std::max(entry.highest, address + bytes - 1);
}

void Book::flush() {
  std::map<BookKey, BookEntry> entries;
  std::vector<BookKey> order;
  entries.swap(entries_);
  order.swap(order_);
  for (const BookKey& key : order) {
    BookEntry& entry = entries.at(key);
    if (entry.unwritten_read != 0 && is_read_too_early(entry.unwritten_read)) continue;
    settle(entry);
    entry.finding.folded = entry.times - 1;
    if (entry.range.bytes != 0 && entry.lowest <= entry.highest) entry.finding.element = range_of(entry);
    finding_sink().add(std::move(entry.finding));
  }
}

}  // namespace offgrid::emu::check
