/// 128-bit integers, which ISO C++ does not have.
#pragma once

namespace offgrid::emu::ptx {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

}  // namespace offgrid::emu::ptx
