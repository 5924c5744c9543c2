/// What __half and __nv_bfloat16 share: storage, raw access, constructors and conversions.
///
/// The base classes stand in a namespace of their own, so that argument-dependent lookup from kernel code finds nothing
/// else of the emulator.
#pragma once

#include <offgrid/emu/numerics/integer_convert.h>

namespace offgrid::emu::float16 {

/// 16 bits and their raw form; trivially copyable and trivially default constructible, as shared memory needs it.
template <class F, class RawType>
class Storage {
 public:
  using FloatFormat = F;
  using Raw = RawType;

  Storage() = default;
  constexpr Storage(const Raw& raw) : __x(raw.x) {}
  constexpr operator Raw() const { return Raw{__x}; }
  operator Raw() const volatile { return Raw{__x}; }

 protected:
  unsigned short __x;  // CUDA's name: its users derive from the type
};

/// Adds the implicit conversions: from every number with one rounding, to integers toward zero.
template <class F, class RawType>
class Convertible : public Storage<F, RawType> {
  using Base = Storage<F, RawType>;
  static constexpr RawType raw(std::uint16_t bits) { return RawType{bits}; }
  template <class Integer>
  static constexpr RawType rounded(Integer value) {
    return raw(OFFGRID_TAINTED(numerics::from_integer<F>(value, numerics::Rounding::kNearestEven), value));
  }
  template <class Integer>
  constexpr Integer truncated() const {
    return OFFGRID_TAINTED((numerics::to_integer<Integer, F>(this->__x, numerics::Rounding::kTowardZero)), this->__x);
  }

 public:
  using Base::Base;
  Convertible() = default;
  constexpr Convertible(float value) : Base(raw(OFFGRID_TAINTED(numerics::from_float<F>(value), value))) {}
  constexpr Convertible(double value) : Base(raw(OFFGRID_TAINTED(numerics::from_double<F>(value), value))) {}
  constexpr Convertible(short value) : Base(rounded(value)) {}
  constexpr Convertible(unsigned short value) : Base(rounded(value)) {}
  constexpr Convertible(int value) : Base(rounded(value)) {}
  constexpr Convertible(unsigned int value) : Base(rounded(value)) {}
  constexpr Convertible(long value) : Base(rounded(value)) {}
  constexpr Convertible(unsigned long value) : Base(rounded(value)) {}
  constexpr Convertible(long long value) : Base(rounded(value)) {}
  constexpr Convertible(unsigned long long value) : Base(rounded(value)) {}

  constexpr operator float() const { return numerics::widened<F>(this->__x); }
  constexpr operator signed char() const { return truncated<signed char>(); }
  constexpr operator unsigned char() const { return truncated<unsigned char>(); }
  constexpr operator char() const { return truncated<char>(); }
  constexpr operator short() const { return truncated<short>(); }
  constexpr operator unsigned short() const { return truncated<unsigned short>(); }
  constexpr operator int() const { return truncated<int>(); }
  constexpr operator unsigned int() const { return truncated<unsigned int>(); }
  constexpr operator long() const { return truncated<long>(); }
  constexpr operator unsigned long() const { return truncated<unsigned long>(); }
  constexpr operator long long() const { return truncated<long long>(); }
  constexpr operator unsigned long long() const { return truncated<unsigned long long>(); }
  constexpr operator bool() const { return (this->__x & F::kMagnitudeMask) != 0; }
};

}  // namespace offgrid::emu::float16

namespace offgrid::emu::numerics {

template <class T>
constexpr std::uint16_t bits_of(const T& value) {
  return static_cast<typename T::Raw>(value).x;
}
template <class T>
constexpr T of_bits(std::uint16_t bits) {
  return T(typename T::Raw{bits});
}
template <class Pair>
constexpr Pair one_in_both() {
  using Lane = typename Pair::Lane;
  const Lane one = of_bits<Lane>(Lane::FloatFormat::kOne);
  return Pair(one, one);
}

}  // namespace offgrid::emu::numerics
