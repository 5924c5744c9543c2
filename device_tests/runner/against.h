// Bit for bit: results of a case against those of a variant, or against results that were saved.
#pragma once

#include <offgrid/cases/case.h>

#include <string>

namespace offgrid::cases {

/// Equal bits, or a failure that shows the first difference: tensor, element, both values, their distance in ulp. NaNs
/// are equal whatever their payload. Of a tensor that is known by its digest alone, it tells only that they differ.
/// `other` says what `want` is: "path=two_stage".
Outcome compare_results(const Results& got, const Results& want, const std::string& other);

}  // namespace offgrid::cases
