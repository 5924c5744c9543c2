#include "cli/resources/figure_table.h"

#include <algorithm>
#include <sstream>
#include <tuple>

#include "cli/cc/options.h"

namespace offgrid::emu::cli {
namespace {

constexpr const char* kHeading =
    "# Registers and memory of every kernel, as the compilers say. Written by `offgrid resources --accept`; a change "
    "is "
    "a finding.\n";

auto key(const KernelFigures& row) { return std::tie(row.target, row.source, row.kernel); }

std::string right_aligned(std::string_view text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + std::string(text);
}

std::string place(const KernelFigures& row) { return row.target + " " + row.kernel + " (" + row.source + ")"; }

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

class Reader {
 public:
  Reader(const std::string& text, const std::string& file_name) : text_(text), file_(file_name) {}

  FigureTable read() {
    std::istringstream lines(text_);
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      if (line.empty() || line[0] == '#') continue;
      if (line.starts_with("target ")) {
        open_section(line.substr(7));
      } else if (expect_names_) {
        check_names(line);
      } else {
        add_row(line);
      }
    }
    return table_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(file_ + ":" + std::to_string(line_) + ": " + what +
                     "; `offgrid resources --accept` writes the table anew after the file is removed");
  }

  void open_section(const std::string& text) {
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos) fail("expected 'target NAME: COMPILER'");
    target_ = text.substr(0, colon);
    table_.compilers[target_] = text.substr(colon + 2);
    expect_names_ = true;
  }

  void check_names(const std::string& line) {
    std::string want;
    for (const std::string_view name : figure_names(target_)) want += std::string(name) + " ";
    std::string got;
    for (const std::string& word : words_of(line)) got += word + " ";
    if (got != want + "source kernel ") fail("expected the columns of " + target_ + ": " + want + "source kernel");
    expect_names_ = false;
  }

  void add_row(const std::string& line) {
    if (target_.empty()) fail("a row before the first 'target NAME: COMPILER'");
    FigureTable::Row row;
    row.target = target_;
    row.line = line_;
    std::istringstream in(line);
    for (std::size_t i = 0; i < figure_names(target_).size(); ++i) {
      long value = 0;
      if (!(in >> value) || value < 0) fail("expected " + std::to_string(figure_names(target_).size()) + " numbers");
      row.figures.push_back(value);
    }
    if (!(in >> row.source >> std::ws) || !std::getline(in, row.kernel)) fail("expected a source and a kernel");
    table_.rows.push_back(row);
  }

  const std::string& text_;
  const std::string& file_;
  FigureTable table_;
  std::string target_;
  unsigned line_ = 0;
  bool expect_names_ = false;
};

std::vector<FigureTable::Row> sorted_rows(const FigureTable& table) {
  std::vector<FigureTable::Row> rows = table.rows;
  std::ranges::sort(rows, [](const auto& a, const auto& b) { return key(a) < key(b); });
  return rows;
}

const FigureTable::Row* find_row(const FigureTable& table, const KernelFigures& wanted) {
  const auto at = std::ranges::find_if(table.rows, [&](const auto& row) { return key(row) == key(wanted); });
  return at == table.rows.end() ? nullptr : &*at;
}

}  // namespace

FigureTable read_figure_table(const std::string& text, const std::string& file_name) {
  return Reader(text, file_name).read();
}

std::string figure_table_text(const FigureTable& table) {
  std::size_t source_width = 6;
  for (const auto& row : table.rows) source_width = std::max(source_width, row.source.size());
  const auto source_cell = [&](std::string text) {
    text.resize(source_width + 1, ' ');
    return " " + text;
  };
  std::string text = kHeading;
  std::string target;
  for (const FigureTable::Row& row : sorted_rows(table)) {
    const auto names = figure_names(row.target);
    if (row.target != target) {
      target = row.target;
      const auto compiler = table.compilers.find(target);
      text += "\ntarget " + target + ": " + (compiler == table.compilers.end() ? "unknown" : compiler->second) + "\n";
      for (const std::string_view name : names) text += " " + right_aligned(name, 6);
      text += source_cell("source") + "kernel\n";
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      text += " " + right_aligned(std::to_string(row.figures[i]), std::max<std::size_t>(6, names[i].size()));
    }
    text += source_cell(row.source) + row.kernel + "\n";
  }
  return text;
}

FigureTable merged(const FigureTable& baseline, const FigureTable& current, const Scope& scope) {
  FigureTable result = baseline;
  std::erase_if(result.rows, [&](const auto& row) { return scope.covers(row); });
  result.rows.insert(result.rows.end(), current.rows.begin(), current.rows.end());
  for (const auto& [target, compiler] : current.compilers) result.compilers[target] = compiler;
  return result;
}

std::vector<FigureChange> changes(const FigureTable& baseline, const FigureTable& current, const Scope& scope) {
  std::vector<FigureChange> found;
  for (const auto& row : sorted_rows(current)) {
    const FigureTable::Row* old = find_row(baseline, row);
    if (old == nullptr) {
      found.push_back({place(row) + ": not in the baseline", 0});
      continue;
    }
    std::string differences;
    for (std::size_t i = 0; i < row.figures.size(); ++i) {
      if (row.figures[i] == old->figures[i]) continue;
      differences += (differences.empty() ? "" : ", ") + std::string(figure_names(row.target)[i]) + " " +
                     std::to_string(old->figures[i]) + " -> " + std::to_string(row.figures[i]);
    }
    if (!differences.empty()) found.push_back({place(row) + ": " + differences, old->line});
  }
  for (const auto& row : baseline.rows) {
    if (scope.covers(row) && find_row(current, row) == nullptr) {
      found.push_back({place(row) + ": in the baseline, but no longer compiled", row.line});
    }
  }
  return found;
}

}  // namespace offgrid::emu::cli
