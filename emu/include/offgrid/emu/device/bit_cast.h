/// The same bits under another type: __float_as_int and its kin. A NaN keeps its payload, as a register move does.
#pragma once

#include <cstring>
#include <type_traits>

namespace offgrid::emu {

template <class To, class From>
constexpr To bits_as(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, from);
}

}  // namespace offgrid::emu

constexpr int __float_as_int(float x) noexcept { return offgrid::emu::bits_as<int>(x); }
constexpr unsigned int __float_as_uint(float x) noexcept { return offgrid::emu::bits_as<unsigned int>(x); }
constexpr float __int_as_float(int x) noexcept { return offgrid::emu::bits_as<float>(x); }
constexpr float __uint_as_float(unsigned int x) noexcept { return offgrid::emu::bits_as<float>(x); }
constexpr long long __double_as_longlong(double x) noexcept { return offgrid::emu::bits_as<long long>(x); }
constexpr double __longlong_as_double(long long x) noexcept { return offgrid::emu::bits_as<double>(x); }

constexpr int __double2hiint(double x) noexcept {
  return static_cast<int>(offgrid::emu::bits_as<unsigned long long>(x) >> 32);
}
constexpr int __double2loint(double x) noexcept {
  return static_cast<int>(offgrid::emu::bits_as<unsigned long long>(x) & 0xffffffffu);
}
constexpr double __hiloint2double(int hi, int lo) noexcept {
  return offgrid::emu::bits_as<double>(static_cast<unsigned long long>(static_cast<unsigned int>(hi)) << 32 |
                                       static_cast<unsigned int>(lo));
}
