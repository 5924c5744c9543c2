/// A place in the user's source. Kept as two plain words, so that a collective can store it in a few cycles.
#pragma once

namespace offgrid::emu {

struct SourceLine {
  const char* file = nullptr;  ///< as the compiler spelt it; static storage; null if unknown
  unsigned line = 0;           ///< from 1; 0 if unknown
};

}  // namespace offgrid::emu
