/// The program's own variables by address: what `__device__` and `__constant__` variables are called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace offgrid::emu::check {

struct Symbol {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;  ///< 0: there is none
  std::string name;       ///< demangled
};

/// The variable that covers an address of the program's writable data. Not found in stripped programs.
Symbol symbol_at(std::uintptr_t address);
/// The last variable that begins at or before an address, whether or not it covers it.
Symbol symbol_before(std::uintptr_t address);
/// The first variable that begins behind an address.
Symbol symbol_behind(std::uintptr_t address);
bool has_symbols();
/// True between variables that the rewriter has moved apart.
bool is_red_zone(std::uintptr_t address);

}  // namespace offgrid::emu::check
