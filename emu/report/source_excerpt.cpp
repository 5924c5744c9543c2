#include "report/source_excerpt.h"

#include <filesystem>
#include <fstream>

namespace offgrid::emu {
namespace {

constexpr std::size_t kMaxBytes = 140;

std::string widen_tabs(const std::string& line) {
  std::string text;
  for (const char c : line) {
    if (c == '\t') {
      text.append(4 - text.size() % 4, ' ');
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string display_path(const std::string& path, const std::string& base) {
  if (base.empty()) return path;
  const std::string clean = std::filesystem::path(path).lexically_normal().string();
  const std::string below = base.back() == '/' ? base : base + "/";
  return clean.compare(0, below.size(), below) == 0 ? clean.substr(below.size()) : clean;
}

std::string source_line_text(const std::string& file, unsigned line, const std::string& base) {
  std::ifstream in(std::filesystem::path(base) / file);  // an absolute `file` replaces base
  std::string text;
  for (unsigned i = 0; i < line; ++i) {
    if (!std::getline(in, text)) return "";
  }
  text = widen_tabs(text);
  text.resize(text.find_last_not_of(' ') + 1);
  if (text.size() > kMaxBytes) {
    std::size_t cut = kMaxBytes - 3;
    while (cut > 0 && (text[cut] & 0xC0) == 0x80) --cut;  // not inside a UTF-8 sequence
    text.replace(cut, std::string::npos, "...");
  }
  return text;
}

std::string source_excerpt(const std::string& file, unsigned line, const std::string& base) {
  if (file.empty() || line == 0) return "";
  const std::string text = source_line_text(file, line, base);
  return text.empty() ? "" : std::to_string(line) + " | " + text + "\n";
}

}  // namespace offgrid::emu
