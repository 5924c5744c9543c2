/// The corpus: one line for each bug that was ever found. See fuzz/corpus/README.md.
#pragma once

#include <offgrid/fuzz/trial.h>

namespace offgrid::fuzz {

struct CorpusLine {
  bool fails = false;  ///< it must, because the bug is planted; else it must not any more
  Trial trial{};
  unsigned number = 0;  ///< in its file, from 1
};

/// errors  std::runtime_error "FILE:LINE: what is wrong"
std::vector<CorpusLine> read_corpus(const std::string& path);

/// Empty if the line holds: under its own schedule and 60 of a search, or under one of them if it must fail.
std::string violation_of(const CorpusLine& line);

}  // namespace offgrid::fuzz
