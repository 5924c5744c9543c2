#include "numerics/fit/raw_results.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace offgrid::emu::numerics {
namespace {

std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string decompressed(const std::string& path) {
  if (!std::ifstream(path))
    throw std::runtime_error(path + ": cannot be read; unpack the archive of raw results there");
  struct Close {
    void operator()(std::FILE* f) const { pclose(f); }
  };
  std::unique_ptr<std::FILE, Close> pipe(popen(("xz -dc < " + shell_quoted(path)).c_str(), "r"));
  std::string content;
  char buffer[1 << 16];
  for (std::size_t n; pipe && (n = std::fread(buffer, 1, sizeof buffer, pipe.get())) > 0;) content.append(buffer, n);
  if (!pipe || pclose(pipe.release()) != 0) throw std::runtime_error(path + ": not xz data, or no command xz");
  return content;
}

std::uint32_t byte(char c) { return static_cast<unsigned char>(c); }

}  // namespace

std::vector<std::uint32_t> raw_results(const std::string& folder, const std::string& name,
                                       std::uint32_t first_operand) {
  char start[9];
  std::snprintf(start, sizeof start, "%08x", first_operand);
  const std::string path = folder + "/" + name + "_" + start + ".dz";
  const std::string content = decompressed(path), form = content.substr(0, 2);
  std::vector<std::uint32_t> results;
  std::uint32_t value = 0;
  if (form == "D1" && content.size() >= 6) {
    for (std::size_t i = 0; i < 4; ++i) value |= byte(content[2 + i]) << (8 * i);
    results.push_back(value);
    for (std::size_t i = 6; i < content.size(); ++i) {
      value += static_cast<std::uint32_t>(static_cast<signed char>(content[i]));
      results.push_back(value);
    }
  } else if (form == "D4" && content.size() % 4 == 2) {
    const std::size_t count = (content.size() - 2) / 4;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t plane = 0; plane < 4; ++plane) value += byte(content[2 + plane * count + i]) << (8 * plane);
      results.push_back(value);
    }
  } else {
    throw std::runtime_error(path + ": begins neither with D1 nor with D4");
  }
  return results;
}

}  // namespace offgrid::emu::numerics
