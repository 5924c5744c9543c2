/// The table of every kernel's figures: a text file under version control, and the differences from it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/resources/kernel_figures.h"

namespace offgrid::emu::cli {

struct FigureTable {
  struct Row : KernelFigures {
    unsigned line = 0;  ///< in the file; 0 if it comes from a compiler
  };
  std::vector<Row> rows;
  std::map<std::string, std::string> compilers;  ///< by target: "clang version 19.1.7"
};

/// errors  UsageError with file and line if the text is not such a table
FigureTable read_figure_table(const std::string& text, const std::string& file_name);

/// Sections by target, rows sorted by source and kernel. read_figure_table gives back the same rows.
std::string figure_table_text(const FigureTable& table);

/// Which part of a table was compiled: a row counts if both its target and its source are listed.
struct Scope {
  std::set<std::string> targets, sources;
  bool covers(const KernelFigures& row) const { return targets.contains(row.target) && sources.contains(row.source); }
};

/// `baseline` with the rows of `scope` replaced by those of `current`.
FigureTable merged(const FigureTable& baseline, const FigureTable& current, const Scope& scope);

struct FigureChange {
  std::string text;   ///< "gfx1030 f<float> (instances/a.cu): vgprs 24 -> 26"
  unsigned line = 0;  ///< of the baseline; 0 for a kernel that it does not have
};

/// What differs inside `scope`: figures, kernels that are new, kernels that are gone. Empty if nothing does.
std::vector<FigureChange> changes(const FigureTable& baseline, const FigureTable& current, const Scope& scope);

}  // namespace offgrid::emu::cli
