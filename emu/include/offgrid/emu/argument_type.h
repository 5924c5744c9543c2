/// What reports want to know about a kernel's parameters, as constants that the compiler makes per kernel instance.
#pragma once

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
