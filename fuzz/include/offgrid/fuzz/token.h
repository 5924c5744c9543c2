/// The replay token: all that a failing run was made of, on one line of text.
///
///   offgrid1;race_tile(n=64);input=7;run=pct-2:99:3000;build=5f3a0b1c22d4e6f8;sum=1c9e22b0
#pragma once

#include <offgrid/fuzz/trial.h>

#include <stdexcept>

namespace offgrid::fuzz {

/// The text names what is wrong with a token and what to do.
struct TokenError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string to_token(const Trial& trial);

/// errors  TokenError: no token, damaged (its checksum is wrong), of another version, for a target that this program
/// has
///         not, for a shape that the target cannot take, or from another build
Trial parse_token(std::string_view token);

/// A number for the program's code: names and sizes of its functions, which do not depend on the folder that it was
/// built in.
std::uint64_t build_id();

}  // namespace offgrid::fuzz
