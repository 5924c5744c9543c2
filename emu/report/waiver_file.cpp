/// Reads waiver files: one waiver a line, `kind  kernel  [file[:line]]  # reason`.
#include <offgrid/emu/report.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "report/finding_table.h"

namespace offgrid::emu {
namespace {

constexpr const char* kExample = "`oob-read mla_decode* decode.cuh:142  # why it is accepted`";

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Columns end at white space outside brackets: "copy<float, 4>" is one.
std::vector<std::string> columns_of(const std::string& text) {
  std::vector<std::string> columns;
  std::string column;
  int depth = 0;
  for (const char c : text + " ") {
    if (c == '<' || c == '(') ++depth;
    if (c == '>' || c == ')') --depth;
    if ((c != ' ' && c != '\t') || depth > 0) {
      column += c;
    } else if (!column.empty()) {
      columns.push_back(std::move(column));
      column.clear();
    }
  }
  if (!column.empty()) columns.push_back(column);
  return columns;
}

/// The '#' that begins the reason: one at the start of a word.
std::size_t reason_begin(const std::string& text) {
  std::size_t at = text.find('#');
  while (at != std::string::npos && at != 0 && text[at - 1] != ' ' && text[at - 1] != '\t') at = text.find('#', at + 1);
  return at;
}

/// One line of a file; its errors name the line.
class LineParser {
 public:
  LineParser(const std::string& file, unsigned line) {
    waiver_.source_file = file;
    waiver_.source_line = line;
  }

  Waiver parse(const std::string& text) {
    const std::size_t hash = reason_begin(text);
    if (hash != std::string::npos) waiver_.reason = trimmed(text.substr(hash + 1));
    const std::vector<std::string> columns = columns_of(text.substr(0, hash));
    if (columns.size() < 2) fail("a waiver names a kind and a kernel", std::string("write for instance ") + kExample);
    if (columns.size() > 3) {
      fail("a waiver has two or three columns, not " + std::to_string(columns.size()),
           "put `#` in front of the reason; `*` may stand for a part of a kernel's name");
    }
    if (waiver_.reason.empty()) fail("a waiver needs a reason", std::string("write for instance ") + kExample);
    kind(columns[0]);
    waiver_.kernel = columns[1];
    if (columns.size() == 3) place(columns[2]);
    return waiver_;
  }

 private:
  [[noreturn]] void fail(const std::string& rule, const std::string& fix) const {
    throw std::runtime_error(waiver_.source_file + ":" + std::to_string(waiver_.source_line) + ": " + rule + "; " +
                             fix);
  }

  void kind(const std::string& name) {
    const std::vector<KindName> known = all_kind_names();
    if (std::none_of(known.begin(), known.end(), [&](const KindName& k) { return k.name == name; })) {
      std::string all;
      for (const KindName& k : known) all += (all.empty() ? "" : ", ") + k.name;
      fail("there is no kind of finding `" + name + "`", "known are " + all);
    }
    waiver_.kind = name;
  }

  void place(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    waiver_.file = text.substr(0, colon);
    if (colon != std::string::npos) {
      const char *begin = text.data() + colon + 1, *end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(begin, end, waiver_.line);
      if (error != std::errc() || stop != end || waiver_.line == 0) waiver_.file.clear();
    }
    if (waiver_.file.empty()) {
      fail("the third column is a file or file:line, not `" + text + "`", "write for instance `decode.cuh:142`");
    }
  }

  Waiver waiver_;
};

}  // namespace

std::vector<Waiver> read_waivers(const std::string& path) {
  std::ifstream in(path);
  std::error_code ignored;
  if (!in || std::filesystem::is_directory(path, ignored)) throw std::runtime_error("cannot read " + path);
  std::vector<Waiver> waivers;
  unsigned number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const std::string text = trimmed(line);
    if (!text.empty() && text.front() != '#') waivers.push_back(LineParser(path, number).parse(text));
  }
  return waivers;
}

}  // namespace offgrid::emu
