/// What the repeats of a finding had in common: the elements, blocks, threads and launches that took part.
#pragma once

#include <offgrid/emu/finding.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace offgrid::emu {

/// Grows by each finding of one kind, line and kernel. Cheap: repeats may come by the million.
class FoldedRange {
 public:
  void add(const Finding& finding);

  /// "`scale` elements 40..63 (valid 0..39), block (1, 0, 0), threads (8, 0, 0)..(31, 1, 0), launches #1..#4"; parts of
  /// which nothing is known are missing. Ranges of indices are the smallest boxes that hold all.
  std::string text() const;

  /// The same as members of a JSON object: `"element":{...},"blocks":[[x,y,z],[x,y,z]],"threads":[...],
  /// "launches":[first,last]`; may be empty.
  std::string json_members() const;

 private:
  template <class T>
  struct Range {
    T first, last;
  };
  static void grow(std::optional<Range<Index3>>& range, const Index3& index);

  std::optional<ElementRange> element_;
  bool several_buffers_ = false;
  std::optional<Range<Index3>> blocks_, threads_;
  std::optional<Range<std::uint64_t>> launches_;
};

/// "`scale` elements 40..63 (valid 0..39)".
std::string element_text(const ElementRange& element);

/// "[2][6]": the number of an element as an index into an array of these extents, outermost first. Outside the array
/// the outermost index goes on; without extents it is the number itself.
std::string element_index_text(const std::vector<unsigned>& extents, long long number);

/// {"buffer":"scale","first":40,"last":63,"valid":"0..39"}; with "extents":[16,17] if there are several.
std::string element_json(const ElementRange& element);

}  // namespace offgrid::emu
