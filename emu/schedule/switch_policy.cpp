// Runs that are given switch by switch.
#include <offgrid/emu/schedule.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "schedule/policies.h"

namespace offgrid::emu {
namespace {

std::invalid_argument malformed(std::string_view word) {
  return std::invalid_argument("'" + std::string(word) +
                               "' is no switch: s<point>><thread>, a<access>><thread> or r<read> is");
}

// Reads a number at the beginning of the text, and takes it off.
std::uint64_t take_number(std::string_view& text, std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) throw malformed(word);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

void add_word(SwitchList& list, std::string_view word) {
  std::string_view rest = word.substr(1);
  const std::uint64_t number = take_number(rest, word);
  if (word[0] == 'r' && rest.empty()) return list.stale.push_back(number);
  if ((word[0] != 's' && word[0] != 'a') || !rest.starts_with('>')) throw malformed(word);
  rest.remove_prefix(1);
  const ThreadId to = take_number(rest, word);
  if (!rest.empty()) throw malformed(word);
  list.switches.push_back({word[0] == 'a', number, to});
}

}  // namespace

std::string to_text(const SwitchList& list) {
  std::string text;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : ",") + word; };
  for (const Switch& s : list.switches) {
    add((s.at_access ? "a" : "s") + std::to_string(s.number) + ">" + std::to_string(s.to));
  }
  for (const std::uint64_t read : list.stale) add("r" + std::to_string(read));
  return text.empty() ? "-" : text;
}

SwitchList parse_switches(std::string_view text) {
  SwitchList list;
  if (text == "-") return list;
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    if (word.size() < 2) throw malformed(word);
    add_word(list, word);
    if (comma == text.npos) return list;
    text.remove_prefix(comma + 1);
  }
}

std::size_t SwitchPolicy::pick_default(const SchedulePoint& point) const {
  if (point.kind == PointKind::kYield) return schedule::place_behind_running(point);
  const std::size_t at = schedule::place_of_running(point);
  return at < point.runnable.size() ? at : 0;
}

std::size_t SwitchPolicy::pick(const SchedulePoint& point) {
  const bool at_access = point.kind == PointKind::kAccess;
  if (at_access) access_ += gap_;
  const std::uint64_t number = at_access ? access_ : sync_++;
  std::size_t& next = at_access ? next_access_ : next_sync_;
  const auto is_due = [&](const Switch& s) { return s.at_access == at_access; };
  while (next < list_.switches.size() && (!is_due(list_.switches[next]) || list_.switches[next].number < number))
    ++next;
  if (next == list_.switches.size() || list_.switches[next].number != number) return pick_default(point);
  const ThreadId to = list_.switches[next++].to;
  const auto at = std::lower_bound(point.runnable.begin(), point.runnable.end(), to);
  if (at == point.runnable.end() || *at != to) return pick_default(point);
  return static_cast<std::size_t>(at - point.runnable.begin());
}

std::uint64_t SwitchPolicy::accesses_until_asked() {
  for (std::size_t i = next_access_; i < list_.switches.size(); ++i) {
    const Switch& s = list_.switches[i];
    if (s.at_access && s.number > access_) return gap_ = s.number - access_;
  }
  return gap_ = kNoAccess;
}

bool SwitchPolicy::reads_stale() {
  const std::uint64_t read = read_++;
  while (next_stale_ < list_.stale.size() && list_.stale[next_stale_] < read) ++next_stale_;
  return next_stale_ < list_.stale.size() && list_.stale[next_stale_] == read;
}

}  // namespace offgrid::emu
