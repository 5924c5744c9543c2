/// Checked mode: which instrumentation the host compiler has, and the flags that ask for it. The functions that
/// instrumented kernels call are emu/check's; no sanitizer of the compiler is linked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace offgrid::emu::cli {

/// How kernels tell the checks about their accesses. The number is the value of the macro OFFGRID_CHECKED.
enum class Checking {
  kOff = 0,
  kDefinedness = 1,  ///< clang: each access, and which bits are defined, up to their use
  kAccesses = 2,     ///< g++: each access
};

/// What the compiler with these predefined macros (`-dM -E`) can do; `name` is for messages. Throws UsageError if it
/// can do nothing of it.
Checking choose_checking(std::string_view macros, const std::string& name);

/// Asks the compiler behind `cxx` for its macros and chooses.
Checking ask_compiler(const std::vector<std::string>& cxx);

/// Flags of preprocessing: the macro that headers and kernels see. The sanitizer itself is not among them, because
/// sources that know sanitizers would call its runtime. Behind the user's flags, as the next ones; nothing if off.
std::vector<std::string> checked_preprocessor_flags(Checking checking);

/// Flags of the compilation that follows.
std::vector<std::string> checked_code_flags(Checking checking);

/// Warnings about variables without a value, which the optimiser removes before the instrumentation can see them. In
/// front of the user's flags, and never errors.
std::vector<std::string> checked_warnings(Checking checking);

/// Options for objcopy, one a line, that let copies of memory pass the checks where the compiler has not seen to it.
std::string checked_copies(Checking checking);

}  // namespace offgrid::emu::cli
