/// From a code address to file, line and function, with the calls that the compiler inlined there.
///
/// Uses libbacktrace, which reads the program's own debug information (`-g` or `-gline-tables-only`). The first use in
/// a process costs milliseconds, later ones microseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace offgrid::emu {

/// One function at an address. file is empty (and line 0) if there is no line information; function then still names
/// the symbol and module if any is known: "memcpy+0x1a in libc.so.6".
struct CodeFrame {
  std::string file;
  unsigned line = 0;
  std::string function;
};

/// Innermost first: frame i was inlined into frame i + 1, at frame i + 1's line. Never empty.
/// `pc` must lie inside the instruction in question: for a return address, pass it less 1. Thread-safe.
std::vector<CodeFrame> resolve_code(std::uintptr_t pc);

/// False if offgrid was built without libbacktrace, so that resolve_code never gives lines.
bool can_resolve_lines();

/// "mla_decode<bf16>" from a linkage name or a demangled name: no return type, no parameters, and no trace of the
/// lambda in which a rewritten kernel keeps its body; empty if all that is known is that it is some lambda's body.
std::string short_function_name(const std::string& name);

}  // namespace offgrid::emu
