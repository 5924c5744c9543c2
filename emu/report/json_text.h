/// The pieces that JSON is written from.
#pragma once

#include <offgrid/emu/finding.h>

#include <string>

namespace offgrid::emu {

/// `text` in quotes, escaped; bytes that are no UTF-8 become U+FFFD.
std::string json_string(const std::string& text);

/// "name":json.
inline std::string json_field(const char* name, const std::string& json) {
  return "\"" + std::string(name) + "\":" + json;
}

/// [x,y,z].
std::string index_json(const Index3& index);

/// [to_json(element), ...].
template <class Range, class ToJson>
std::string json_array(const Range& range, ToJson to_json) {
  std::string text;
  for (const auto& element : range) text += (text.empty() ? "" : ",") + to_json(element);
  return "[" + text + "]";
}

}  // namespace offgrid::emu
