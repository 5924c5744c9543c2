// Cache writers: what they leave behind, byte for byte, and what decode reads from it.
#pragma once

#include <offgrid/cases/case.h>

#include <vector>

namespace offgrid::cases {

struct PagedCase;
struct PagedInputs;
class PagedDevice;

/// Writes the tokens of a case into its cache, in a random order and among tokens that are to be skipped.
void write_paged_tokens(const PagedCase& c, int slot_words, const PagedInputs& in, PagedDevice& device);

std::vector<Case> paged_writer_cases();

}  // namespace offgrid::cases
