#include "cli/cc/volatile_lines.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>

#include "rewrite/source_text.h"

namespace offgrid::emu::cli {
namespace {

using Id = unsigned;  // of a metadata node: !17

bool is_asm(std::string_view word) { return word == "asm" || word == "__asm__" || word == "__asm"; }

/// The number behind `label`, or 0.
unsigned number_behind(std::string_view text, std::string_view label) {
  const std::size_t at = text.find(label);
  unsigned value = 0;
  if (at == text.npos) return value;
  text.remove_prefix(at + label.size());
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The string behind `label`, with its escapes `\22` resolved.
std::string string_behind(std::string_view text, std::string_view label) {
  std::string value;
  const std::size_t at = text.find(label);
  if (at == text.npos) return value;
  text.remove_prefix(at + label.size());
  for (std::size_t i = 0; i < text.size() && text[i] != '"'; ++i) {
    unsigned code = 0;
    if (text[i] == '\\' && std::from_chars(text.data() + i + 1, text.data() + i + 3, code, 16).ptr == &text[i + 3]) {
      value += static_cast<char>(code);
      i += 2;
    } else {
      value += text[i];
    }
  }
  return value;
}

/// What there is to know from the metadata at the end of the text.
struct Places {
  struct Location {
    unsigned line = 0;
    Id scope = 0;
  };
  std::map<Id, Location> locations;
  std::map<Id, Id> file_of_scope;
  std::map<Id, std::string> files;

  void read(std::string_view line) {
    const Id id = number_behind(line, "!");
    const auto is = [&](std::string_view kind) { return line.find(kind) != line.npos; };
    if (is("!DILocation(")) {
      locations[id] = {number_behind(line, "line: "), number_behind(line, "scope: !")};
    } else if (is("!DIFile(")) {
      const std::filesystem::path folder = string_behind(line, "directory: \"");
      files[id] = (folder / string_behind(line, "filename: \"")).string();
    } else if (is("!DISubprogram(") || is("!DILexicalBlock")) {
      file_of_scope[id] = number_behind(line, "file: !");
    }
  }
};

}  // namespace

bool mentions_volatile(std::string_view text, const std::vector<std::string>& own_folders) {
  if (text.find("volatile") == text.npos) return false;
  const rewrite::SourceText source(text, "\"\"");
  for (rewrite::Index i = 0; i < source.size(); ++i) {
    const std::string_view word = source.spelling(i);
    if (word != "volatile" && word != "__volatile__" && word != "__volatile") continue;
    if (i > 0 && is_asm(source.spelling(i - 1))) continue;
    const rewrite::Place place = source.place(i);
    const bool is_own = std::ranges::any_of(
        own_folders, [&](const std::string& folder) { return place.file.starts_with('"' + folder + '/'); });
    if (!place.system && !is_own) return true;
  }
  return false;
}

std::vector<VolatileLine> volatile_lines(std::string_view code) {
  std::set<std::pair<Id, bool>> accesses;  // and whether they write
  Places places;
  for (std::size_t end; !code.empty(); code.remove_prefix(std::min(end + 1, code.size()))) {
    end = std::min(code.find('\n'), code.size());
    const std::string_view line = code.substr(0, end);
    const bool writes = line.starts_with("  store volatile ");
    if (writes || (line.starts_with("  %") && line.find(" = load volatile ") != line.npos)) {
      accesses.emplace(number_behind(line, "!dbg !"), writes);
    } else if (line.starts_with('!')) {
      places.read(line);
    }
  }
  std::set<VolatileLine> lines;
  for (const auto& [id, writes] : accesses) {
    const Places::Location at = places.locations[id];
    if (at.line != 0) lines.insert({places.files[places.file_of_scope[at.scope]], at.line, writes});
  }
  return {lines.begin(), lines.end()};
}

std::string volatile_list(const std::vector<VolatileLine>& lines) {
  if (lines.empty()) return "";
  std::string text =
      "namespace {\nstruct offgrid_volatile_line { const char* file; unsigned line; bool writes; };\n"
      "const offgrid_volatile_line offgrid_volatile_lines[] = {\n";
  for (const VolatileLine& l : lines) {
    text += "  {\"" + rewrite::escaped(l.file) + "\", " + std::to_string(l.line) + ", " +
            (l.writes ? "true" : "false") + "},\n";
  }
  return text +
         "};\n}\nextern \"C\" void offgrid_note_volatile_lines(const void*, unsigned long);\n"
         "__attribute__((constructor, disable_sanitizer_instrumentation)) static void offgrid_list_volatile_lines() {\n"
         "  offgrid_note_volatile_lines(offgrid_volatile_lines, " +
         std::to_string(lines.size()) + ");\n}\n";
}

}  // namespace offgrid::emu::cli
