/// Checked mode: what the rewriter puts around accesses through pointers to vector types. Gives back what it is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace offgrid::emu {

/// The pointer is no multiple of `alignment`: a finding. `function` names the type as the caller's template argument.
void checked_misaligned(const volatile void* address, std::size_t alignment, bool write, const char* function) noexcept;

namespace detail {

template <class T>
[[gnu::always_inline]] inline void check_vector(const volatile T& access, bool write) {
  if constexpr (std::is_class_v<T>) {
    const volatile void* address = __builtin_addressof(access);
    if (__builtin_expect(reinterpret_cast<std::uintptr_t>(address) & (alignof(T) - 1), 0)) {
      checked_misaligned(address, alignof(T), write, __PRETTY_FUNCTION__);
    }
  }
}

}  // namespace detail

template <class T>
[[gnu::always_inline]] inline T& vector_read(T& access) {
  detail::check_vector<std::remove_cv_t<T>>(access, false);
  return access;
}
template <class T>
[[gnu::always_inline]] inline T vector_read(T&& value) {
  return static_cast<T&&>(value);
}
template <class T>
[[gnu::always_inline]] inline T& vector_write(T& access) {
  detail::check_vector<std::remove_cv_t<T>>(access, true);
  return access;
}
template <class T>
[[gnu::always_inline]] inline T vector_write(T&& value) {
  return static_cast<T&&>(value);
}

}  // namespace offgrid::emu
