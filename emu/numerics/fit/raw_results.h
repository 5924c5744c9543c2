/// Results of a device over a range of consecutive operands, as the measuring programs stored them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace offgrid::emu::numerics {

/// The results (float bits) of FOLDER/NAME_START.dz, START in hexadecimal: the bits of the first operand. Each file is
/// xz data of "D1", the first result and signed bytes that lead from one result to the next; or of "D4" and the four
/// byte planes, lowest first, of 32-bit differences, the first one from zero. Runs the command `xz`.
///
/// errors  std::runtime_error with the file's name: missing, not xz data, or not of this form
std::vector<std::uint32_t> raw_results(const std::string& folder, const std::string& name, std::uint32_t first_operand);

}  // namespace offgrid::emu::numerics
