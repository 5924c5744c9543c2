// Decode attention in captured graphs: arguments are frozen at capture, contents change between replays.
#pragma once

#include <offgrid/cases/case.h>

#include <vector>

namespace offgrid::cases {

/// E37 and E38 of the functional specification (4.6), and what its section 6 says must hold: every replay gives what a
/// fresh call would, bit for bit, and is right against fp64; all outputs and the scratch are poison before each;
/// lengths grow, shrink to 0 and grow again, page tables, caches and scales are rewritten in place; padded rows become
/// active; a row's bits do not change when another row's length does.
std::vector<Case> mla_decode_graph_cases();

}  // namespace offgrid::cases
