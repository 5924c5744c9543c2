// Judgements that all cases over paged caches share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases/judge.h"
#include "cases/paged_device.h"

namespace offgrid::cases {

/// What happens to rows behind the last request.
enum class PaddingRows {
  kZero,       ///< decode: exactly 0
  kUntouched,  ///< prefill
};

/// The elements of out in the order [token, head, d], without gaps.
std::vector<std::uint32_t> gather_out(const PagedCase& c, const PagedInputs& in, const std::vector<std::uint16_t>& out);

/// Compares out with fp64 within the bound of reference/README.md "decode bound" and half a spacing of fp16; rows that
/// see no key must be exactly 0, padding rows as `padding` says; and with `largest_relative` > 0 the largest |got -
/// want| /
/// (|want| + 1e-3) is at most that. Fails the outcome where this does not hold.
void compare_with_truth(Outcome& outcome, const PagedCase& c, const PagedInputs& in, const PagedOutputs& got,
                        const reference::VarlenArithmetic& arithmetic, PaddingRows padding,
                        double largest_relative = 0);

/// Nothing but the rows of the result changed in out, and the cache is as it was.
void check_untouched(Outcome& outcome, const PagedCase& c, const PagedInputs& in, const PagedOutputs& got);

/// Bit for bit, NaN being one value.
void compare_outs(Outcome& outcome, const std::string& what, const PagedCase& c, const PagedInputs& in,
                  const PagedOutputs& got, const PagedOutputs& want);

}  // namespace offgrid::cases
