#include "report/folded_range.h"

#include <vector>

#include "report/json_text.h"
#include "report/place_text.h"

namespace offgrid::emu {
namespace {

bool is_same(const Index3& a, const Index3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

std::string element_text(const ElementRange& e) {
  const bool is_name = e.buffer.find(' ') == e.buffer.npos;
  const bool has_coordinates = e.extents.size() > 1;
  const auto number = [&](long long element) {
    return has_coordinates ? element_index_text(e.extents, element) : std::to_string(element);
  };
  std::string text = is_name ? "`" + e.buffer + "`" : e.buffer;
  text += (e.first == e.last ? " element " : " elements ") + number(e.first);
  if (e.first != e.last) text += ".." + number(e.last);
  return text + (e.valid.empty() ? "" : " (valid " + e.valid + ")");
}

std::string element_index_text(const std::vector<unsigned>& extents, long long number) {
  std::string text;
  for (std::size_t d = extents.size(); d-- > 1;) {
    const long long extent = std::max(1u, extents[d]);
    const long long rest = (number % extent + extent) % extent;
    text = "[" + std::to_string(rest) + "]" + text;
    number = (number - rest) / extent;
  }
  return "[" + std::to_string(number) + "]" + text;
}

void FoldedRange::grow(std::optional<Range<Index3>>& range, const Index3& index) {
  if (!range) {
    range = {index, index};
    return;
  }
  Index3 &first = range->first, &last = range->last;
  first = {std::min(first.x, index.x), std::min(first.y, index.y), std::min(first.z, index.z)};
  last = {std::max(last.x, index.x), std::max(last.y, index.y), std::max(last.z, index.z)};
}

void FoldedRange::add(const Finding& finding) {
  const LaunchPlace& place = finding.place;
  if (place.has_lane || place.has_block) grow(blocks_, place.block);
  if (place.has_lane) grow(threads_, place.thread);
  if (const std::uint64_t launch = place.launch_number; launch != 0) {
    if (!launches_) launches_ = {launch, launch};
    launches_ = {std::min(launches_->first, launch), std::max(launches_->last, launch)};
  }
  if (!finding.element) return;
  if (!element_) {
    element_ = finding.element;
  } else if (element_->buffer != finding.element->buffer) {
    several_buffers_ = true;
  } else {
    element_->first = std::min(element_->first, finding.element->first);
    element_->last = std::max(element_->last, finding.element->last);
  }
}

std::string FoldedRange::text() const {
  std::vector<std::string> parts;
  if (element_) parts.push_back(several_buffers_ ? "elements of several buffers" : element_text(*element_));
  const auto add_indices = [&](const char* what, const std::optional<Range<Index3>>& range) {
    if (!range) return;
    const bool is_one = is_same(range->first, range->last);
    parts.push_back(what + std::string(is_one ? " " : "s ") + index_text(range->first) +
                    (is_one ? "" : ".." + index_text(range->last)));
  };
  add_indices("block", blocks_);
  add_indices("thread", threads_);
  if (launches_ && launches_->first != launches_->last) {
    parts.push_back("launches #" + std::to_string(launches_->first) + "..#" + std::to_string(launches_->last));
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string FoldedRange::json_members() const {
  std::string json;
  const auto append = [&](const char* name, const std::string& value) {
    json += (json.empty() ? "" : ",") + json_field(name, value);
  };
  const auto pair = [](const std::string& first, const std::string& last) { return "[" + first + "," + last + "]"; };
  if (element_ && !several_buffers_) append("element", element_json(*element_));
  if (blocks_) append("blocks", pair(index_json(blocks_->first), index_json(blocks_->last)));
  if (threads_) append("threads", pair(index_json(threads_->first), index_json(threads_->last)));
  if (launches_) append("launches", pair(std::to_string(launches_->first), std::to_string(launches_->last)));
  return json;
}

std::string element_json(const ElementRange& e) {
  return "{" + json_field("buffer", json_string(e.buffer)) + "," + json_field("first", std::to_string(e.first)) + "," +
         json_field("last", std::to_string(e.last)) + "," + json_field("valid", json_string(e.valid)) +
         (e.extents.empty()
              ? ""
              : "," + json_field("extents", json_array(e.extents, [](unsigned n) { return std::to_string(n); }))) +
         "}";
}

}  // namespace offgrid::emu
