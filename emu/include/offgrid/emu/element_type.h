/// What the elements of a variable are, as a constant that the compiler makes for each type: reports count in them.
#pragma once

#include <offgrid/emu/argument_type.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace offgrid::emu {

/// `float[16][17]`: elements of 4 bytes, extents 16 and 17. A variable that is no array has none.
struct ElementType {
  static constexpr unsigned kMostExtents = 6;
  const char* text = "";     ///< a compiler's long text that ends with the element's type; see kernel_arguments.h
  std::uint32_t bytes = 0;   ///< of an element; 0: not known
  bool has_padding = false;  ///< perhaps: bytes of an element that belong to no member
  std::uint32_t rank = 0;
  std::uint32_t extents[kMostExtents] = {};  ///< outermost first
};

namespace detail {

template <class T>
constexpr void add_extents(ElementType& type) {
  if constexpr (std::is_array_v<T>) {
    if (type.rank < ElementType::kMostExtents) {
      type.extents[type.rank++] = static_cast<std::uint32_t>(std::extent_v<T>);
    } else {
      type.bytes = 0;  // more than fit: the variable is told in bytes
    }
    add_extents<std::remove_extent_t<T>>(type);
  }
}

template <class T>
constexpr ElementType make_element_type() {
  using Element = std::remove_cv_t<std::remove_all_extents_t<T>>;
  ElementType type;
  type.text = type_text<Element>();
  type.bytes = sizeof(Element);
  type.has_padding = may_have_padding<Element>();
  add_extents<T>(type);
  return type;
}

template <class T>
inline constexpr ElementType kElementType = make_element_type<T>();

}  // namespace detail

/// The type is deduced: as a template argument, one with an alignment of its own would be warned of.
template <class T>
constexpr const ElementType* element_type_of(T*) {
  return &detail::kElementType<T>;
}

}  // namespace offgrid::emu
