#include "report/json_text.h"

#include <cstdio>

#include "report/valid_utf8.h"

namespace offgrid::emu {

std::string json_string(const std::string& text) {
  std::string json = "\"";
  for (const char c : valid_utf8(text)) {
    if (c == '"' || c == '\\') {
      json += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      json += escape;
    } else {
      json += c;
    }
  }
  return json + "\"";
}

std::string index_json(const Index3& i) {
  return "[" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + "]";
}

}  // namespace offgrid::emu
