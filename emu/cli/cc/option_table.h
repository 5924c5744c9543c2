/// The table of options that `offgrid cc` knows.
#pragma once

#include <span>
#include <string_view>

#include "cli/cc/options.h"

namespace offgrid::emu::cli {

enum class Takes {
  kNothing,
  kValue,   ///< `-name value` or `-name=value`
  kJoined,  ///< `-Ivalue`, `-I value` or `-I=value`
};

/// Names are given without leading dashes; `-name` and `--name` mean the same. apply == nullptr: accepted, without
/// effect. rejected is not empty: an error with that reason.
struct OptionRow {
  std::string_view names;  ///< separated by spaces
  Takes takes = Takes::kNothing;
  void (*apply)(CcOptions& options, const std::string& value) = nullptr;
  std::string_view rejected = {};
};

std::span<const OptionRow> option_rows();      ///< nvcc's, and common ones
std::span<const OptionRow> hip_option_rows();  ///< hipcc's, looked at first in its dialect

}  // namespace offgrid::emu::cli
