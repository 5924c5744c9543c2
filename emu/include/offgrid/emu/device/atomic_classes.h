/// Atomics on class types: 16-bit floats and their pairs, float2 and float4, and any 16 bytes.
///
/// Templates, so that kernels without half do not pay for its header.
#pragma once

#include <offgrid/emu/device/atomic_operations.h>
#include <offgrid/emu/device/vector_types.h>

namespace offgrid::emu {

/// __half, __nv_bfloat16, __half2, __nv_bfloat162.
template <class T>
inline constexpr bool is_float16_v = std::is_class_v<T> && std::is_trivially_copyable_v<T> &&
                                     (sizeof(T) == 2 || sizeof(T) == 4) && VectorTraits<T>::kSize == 0;

/// What 128-bit exchange and compare-and-swap take.
template <class T>
inline constexpr bool is_atomic_16_v = sizeof(T) == 16 && alignof(T) >= 16 && std::is_trivially_copyable_v<T>;

template <class T>
T atomic_exchange_16(T* address, T value) {
  T seen = *address;  // may be torn; then the first attempt fails
  for (;;) {
    const T old = atomic_compare_exchange(address, seen, value, AtomicScope::kSystem);
    if (std::memcmp(&old, &seen, sizeof old) == 0) return old;
    seen = old;
  }
}

/// Each element is added on its own; the whole is not one atomic operation.
OFFGRID_ATOMIC_NAME float2 add_elements(float2* address, float2 value, AtomicScope scope) {
  detail::check_atomic_alignment(address);
  float2 old = value;
  old.x = atomic_rmw(&address->x, atomic_op::float_add(&address->x, value.x), scope);
  old.y = atomic_rmw(&address->y, atomic_op::float_add(&address->y, value.y), scope);
  return old;
}
OFFGRID_ATOMIC_NAME float4 add_elements(float4* address, float4 value, AtomicScope scope) {
  detail::check_atomic_alignment(address);
  float4 old = value;
  old.x = atomic_rmw(&address->x, atomic_op::float_add(&address->x, value.x), scope);
  old.y = atomic_rmw(&address->y, atomic_op::float_add(&address->y, value.y), scope);
  old.z = atomic_rmw(&address->z, atomic_op::float_add(&address->z, value.z), scope);
  old.w = atomic_rmw(&address->w, atomic_op::float_add(&address->w, value.w), scope);
  return old;
}

}  // namespace offgrid::emu

#define OFFGRID_ATOMIC_CLASSES(suffix, scope)                                                                  \
  template <class T, std::enable_if_t<offgrid::emu::is_float16_v<T>, int> = 0>                                 \
  OFFGRID_ATOMIC_NAME T atomicAdd##suffix(T* address, T value) {                                               \
    return offgrid::emu::atomic_rmw(address, offgrid::emu::atomic_op::Float16Add<T>{{value}},                  \
                                    offgrid::emu::AtomicScope::scope);                                         \
  }                                                                                                            \
  OFFGRID_ATOMIC_NAME float2 atomicAdd##suffix(float2* address, float2 value) {                                \
    return offgrid::emu::add_elements(address, value, offgrid::emu::AtomicScope::scope);                       \
  }                                                                                                            \
  OFFGRID_ATOMIC_NAME float4 atomicAdd##suffix(float4* address, float4 value) {                                \
    return offgrid::emu::add_elements(address, value, offgrid::emu::AtomicScope::scope);                       \
  }                                                                                                            \
  template <class T, std::enable_if_t<offgrid::emu::is_atomic_16_v<T>, int> = 0>                               \
  OFFGRID_ATOMIC_NAME T atomicExch##suffix(T* address, T value) {                                              \
    return offgrid::emu::atomic_exchange_16(address, value);                                                   \
  }                                                                                                            \
  template <class T, std::enable_if_t<offgrid::emu::is_atomic_16_v<T>, int> = 0>                               \
  OFFGRID_ATOMIC_NAME T atomicCAS##suffix(T* address, T compare, T value) {                                    \
    return offgrid::emu::atomic_compare_exchange(address, compare, value, offgrid::emu::AtomicScope::kSystem); \
  }
OFFGRID_ATOMIC_CLASSES(, kDevice)
OFFGRID_ATOMIC_CLASSES(_block, kBlock)
OFFGRID_ATOMIC_CLASSES(_system, kSystem)
#undef OFFGRID_ATOMIC_CLASSES
