/// What reports want to know about a kernel's parameters, as constants that the compiler makes per kernel instance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace offgrid::emu {

/// One argument of a kernel instance. `offset` is measured when the kernel function is entered first.
struct ArgumentType {
  enum class Kind : std::uint8_t {
    kValue,    ///< can hold no address
    kPointer,  ///< declared as a pointer
    kWords,    ///< an object or a 64-bit number: its 8-byte words may be addresses
  };
  const char* pointee_text = "";  ///< a compiler's long text that ends with the pointee's type; see kernel_arguments.h
  std::uint32_t offset = 0;       ///< in the closure
  std::uint32_t bytes = 0;        ///< of the argument
  std::uint32_t pointee_bytes = 0;  ///< 0: void, a function, or not defined where the kernel is
  Kind kind = Kind::kValue;
  bool is_const = false;     ///< the pointee
  bool is_restrict = false;  ///< the pointer
  bool has_padding = false;  ///< the pointee, perhaps: bytes that belong to no member
};

namespace detail {

template <class T>
constexpr const char* type_text() {
  return __PRETTY_FUNCTION__;
}

template <class T, class = void>
inline constexpr std::uint32_t kBytesIfKnown = 0;
template <class T>
inline constexpr std::uint32_t
    kBytesIfKnown<T, std::void_t<std::enable_if_t<std::is_object_v<T>>, decltype(sizeof(T))>> = sizeof(T);

/// A class whose bytes may not all be members'. What is known to have none: numbers, classes of integers without gaps,
/// and vectors (x, y, ...) that are as large as their members.
template <class T, class = void>
inline constexpr std::size_t kVectorBytes = 0;
template <class T>
inline constexpr std::size_t kVectorBytes<T, std::void_t<decltype(T::x), decltype(T::y)>> = 2 * sizeof(T::x);
template <class T, class = void>
inline constexpr std::size_t kThirdBytes = 0;
template <class T>
inline constexpr std::size_t kThirdBytes<T, std::void_t<decltype(T::z)>> = sizeof(T::z);
template <class T, class = void>
inline constexpr std::size_t kFourthBytes = 0;
template <class T>
inline constexpr std::size_t kFourthBytes<T, std::void_t<decltype(T::w)>> = sizeof(T::w);

template <class T>
constexpr bool may_have_padding() {
  if constexpr (kBytesIfKnown<T> == 0 || !(std::is_class_v<T> || std::is_union_v<T>)) {
    return false;
  } else if constexpr (std::has_unique_object_representations_v<T>) {
    return false;
  } else {
    return kVectorBytes<T> + kThirdBytes<T> + kFourthBytes<T> != sizeof(T);
  }
}

/// A pointer to arrays counts their elements.
template <class Pointee>
constexpr ArgumentType pointer_type(bool is_restrict) {
  using T = std::remove_cv_t<std::remove_all_extents_t<Pointee>>;
  ArgumentType type;
  type.pointee_text = type_text<T>();
  type.bytes = sizeof(void*);
  type.pointee_bytes = kBytesIfKnown<T>;
  type.kind = ArgumentType::Kind::kPointer;
  type.is_const = std::is_const_v<Pointee>;
  type.is_restrict = is_restrict;
  type.has_padding = may_have_padding<T>();
  return type;
}

template <class T>
struct ArgumentTypeOf {
  using Plain = T;  ///< without __restrict: g++ has no pointers to that
  static constexpr bool kMayHoldAddresses = std::is_class_v<T> || std::is_union_v<T> || std::is_array_v<T> ||
                                            (std::is_integral_v<T> && std::is_unsigned_v<T>);
  static constexpr ArgumentType value() {
    ArgumentType type;
    type.bytes = sizeof(T);
    if (kMayHoldAddresses && sizeof(T) >= sizeof(void*)) type.kind = ArgumentType::Kind::kWords;
    return type;
  }
};
template <class T>
struct ArgumentTypeOf<T*> {
  using Plain = T*;
  static constexpr ArgumentType value() { return pointer_type<T>(false); }
};
template <class T>
struct ArgumentTypeOf<T* __restrict> {
  using Plain = T*;
  static constexpr ArgumentType value() { return pointer_type<T>(true); }
};

}  // namespace detail
}  // namespace offgrid::emu
