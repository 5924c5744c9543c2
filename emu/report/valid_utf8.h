/// Text from symbol tables and source files may hold any bytes; JSON and XML may not.
#pragma once

#include <string>
#include <string_view>

namespace offgrid::emu {

/// `text` with each byte that is no part of a valid UTF-8 sequence replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace offgrid::emu
