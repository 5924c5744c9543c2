/// Atomics with named order and scope: CUDA's `__nv_atomic_*` and clang's `__hip_atomic_*`.
///
/// Every order is treated as sequentially consistent, which is what the processor does anyway.
#pragma once

#include <offgrid/emu/device/atomic_operations.h>

enum {
  __NV_ATOMIC_RELAXED = __ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME = __ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE = __ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE = __ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL = __ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST = __ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD = 0,
  __NV_THREAD_SCOPE_BLOCK = 1,
  __NV_THREAD_SCOPE_CLUSTER = 2,
  __NV_THREAD_SCOPE_DEVICE = 3,
  __NV_THREAD_SCOPE_SYSTEM = 4
};

namespace offgrid::emu {

inline constexpr AtomicScope nv_scope(int scope) {
  return scope <= __NV_THREAD_SCOPE_BLOCK     ? AtomicScope::kBlock
         : scope == __NV_THREAD_SCOPE_CLUSTER ? AtomicScope::kCluster
         : scope == __NV_THREAD_SCOPE_SYSTEM  ? AtomicScope::kSystem
                                              : AtomicScope::kDevice;
}

/// HIP's numbers: 1 single thread, 2 wavefront, 3 work-group, 4 agent, 5 system.
inline constexpr AtomicScope hip_scope(int scope) {
  return scope <= 3 ? AtomicScope::kBlock : scope == 4 ? AtomicScope::kDevice : AtomicScope::kSystem;
}

template <class T>
OFFGRID_ATOMIC_NAME T fetch_add(T* address, T value, AtomicScope scope) {
  if constexpr (std::is_same_v<T, float>) {
    return atomic_rmw(address, atomic_op::float_add(address, value), scope);
  } else if constexpr (std::is_same_v<T, double>) {
    return atomic_rmw(address, atomic_op::DoubleAdd{{value}}, scope);
  } else if constexpr (std::is_integral_v<T>) {
    return atomic_rmw(address, atomic_op::IntegerAdd<T>{value}, scope);
  } else {
    return atomic_rmw(address, atomic_op::Float16Add<T>{{value}}, scope);
  }
}
template <class T>
OFFGRID_ATOMIC_NAME T fetch_sub(T* address, T value, AtomicScope scope) {
  if constexpr (std::is_integral_v<T>) {
    return atomic_rmw(address, atomic_op::IntegerSub<T>{value}, scope);
  } else {
    return fetch_add(address, -value, scope);
  }
}
template <class T>
OFFGRID_ATOMIC_NAME T fetch_min(T* address, T value, AtomicScope scope) {
  return atomic_rmw(address, atomic_op::Min<T>{{value}}, scope);
}
template <class T>
OFFGRID_ATOMIC_NAME T fetch_max(T* address, T value, AtomicScope scope) {
  return atomic_rmw(address, atomic_op::Max<T>{{value}}, scope);
}
template <class T>
OFFGRID_ATOMIC_NAME T fetch_and(T* address, T value, AtomicScope scope) {
  return atomic_rmw(address, atomic_op::And<T>{value}, scope);
}
template <class T>
OFFGRID_ATOMIC_NAME T fetch_or(T* address, T value, AtomicScope scope) {
  return atomic_rmw(address, atomic_op::Or<T>{value}, scope);
}
template <class T>
OFFGRID_ATOMIC_NAME T fetch_xor(T* address, T value, AtomicScope scope) {
  return atomic_rmw(address, atomic_op::Xor<T>{value}, scope);
}
template <class T>
OFFGRID_ATOMIC_NAME T exchange(T* address, T value, AtomicScope scope) {
  return atomic_rmw(address, atomic_op::Exchange<T>{{value}}, scope);
}
/// True if *address equalled *expected, which otherwise receives what was there.
template <class T>
inline bool compare_exchange(T* address, T* expected, T desired, AtomicScope scope) {
  const T wanted = *expected;
  *expected = atomic_compare_exchange(address, wanted, desired, scope);
  return std::memcmp(expected, &wanted, sizeof wanted) == 0;
}

/// The value of an operand, as the type of the object it is combined with.
template <class T>
using Operand = std::common_type_t<T>;

}  // namespace offgrid::emu

template <class T>
OFFGRID_ATOMIC_NAME T __nv_atomic_load_n(const T* address, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  return offgrid::emu::atomic_load(address);
}
template <class T>
OFFGRID_ATOMIC_NAME void __nv_atomic_load(const T* address, T* result, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  *result = offgrid::emu::atomic_load(address);
}
template <class T>
OFFGRID_ATOMIC_NAME void __nv_atomic_store_n(T* address, offgrid::emu::Operand<T> value, int,
                                             int scope = __NV_THREAD_SCOPE_SYSTEM) {
  offgrid::emu::atomic_store(address, value, offgrid::emu::nv_scope(scope));
}
template <class T>
OFFGRID_ATOMIC_NAME void __nv_atomic_store(T* address, T* value, int, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  offgrid::emu::atomic_store(address, *value, offgrid::emu::nv_scope(scope));
}
template <class T>
OFFGRID_ATOMIC_NAME T __nv_atomic_exchange_n(T* address, offgrid::emu::Operand<T> value, int,
                                             int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return offgrid::emu::exchange(address, value, offgrid::emu::nv_scope(scope));
}
template <class T>
OFFGRID_ATOMIC_NAME void __nv_atomic_exchange(T* address, T* value, T* result, int,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *result = offgrid::emu::exchange(address, *value, offgrid::emu::nv_scope(scope));
}
template <class T>
inline bool __nv_atomic_compare_exchange_n(T* address, T* expected, offgrid::emu::Operand<T> desired, bool, int, int,
                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return offgrid::emu::compare_exchange(address, expected, desired, offgrid::emu::nv_scope(scope));
}
template <class T>
inline bool __nv_atomic_compare_exchange(T* address, T* expected, T* desired, bool, int, int,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return offgrid::emu::compare_exchange(address, expected, *desired, offgrid::emu::nv_scope(scope));
}
OFFGRID_ATOMIC_NAME void __nv_atomic_thread_fence(int, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  offgrid::emu::offgrid_fence(offgrid::emu::nv_scope(scope));
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#define OFFGRID_NV_ATOMIC(name)                                                                   \
  template <class T>                                                                              \
  OFFGRID_ATOMIC_NAME T __nv_atomic_fetch_##name(T* address, offgrid::emu::Operand<T> value, int, \
                                                 int scope = __NV_THREAD_SCOPE_SYSTEM) {          \
    return offgrid::emu::fetch_##name(address, value, offgrid::emu::nv_scope(scope));             \
  }                                                                                               \
  template <class T>                                                                              \
  OFFGRID_ATOMIC_NAME void __nv_atomic_##name(T* address, offgrid::emu::Operand<T> value, int,    \
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {             \
    offgrid::emu::fetch_##name(address, value, offgrid::emu::nv_scope(scope));                    \
  }
OFFGRID_NV_ATOMIC(add)
OFFGRID_NV_ATOMIC(sub)
OFFGRID_NV_ATOMIC(min)
OFFGRID_NV_ATOMIC(max)
OFFGRID_NV_ATOMIC(and)
OFFGRID_NV_ATOMIC(or)
OFFGRID_NV_ATOMIC(xor)
#undef OFFGRID_NV_ATOMIC
