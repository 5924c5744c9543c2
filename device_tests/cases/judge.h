// Judgements that all cases share.
#pragma once

#include <offgrid/cases/case.h>
#include <offgrid/reference/compare.h>

#include <cstdint>
#include <string>
#include <vector>

namespace offgrid::cases {

/// Adds a comparison's figures to the outcome, and fails it with the comparison's words if it is not ok.
void take(Outcome& outcome, const reference::Comparison& comparison);

/// Exactly the result's own elements must have changed from poison.
void check_written(Outcome& outcome, const std::string& name, const std::vector<std::uint32_t>& memory,
                   std::uint32_t poison, const std::vector<bool>& is_result);

/// Of a result that was poisoned with 0xFF bytes before: elements that still hold the poison were not written, and a
/// NaN where the truth is a number came from poison. Else equal bits. Each failure names the element.
void check_poison(Outcome& outcome, const ResultTensor& got, const ResultTensor& want);

/// The codes with every NaN as the format's one NaN: which NaN it is says nothing about arithmetic (and checked runs
/// mark theirs with where they came from).
std::vector<std::uint32_t> with_one_nan(const reference::FloatFormat& format, std::vector<std::uint32_t> codes);

}  // namespace offgrid::cases
