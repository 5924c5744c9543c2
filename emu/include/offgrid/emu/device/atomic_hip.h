/// HIP's own atomics: the fast and safe forms, and the `__hip_atomic_*` operations, which clang knows as built-in names
/// and which therefore are macros here.
#pragma once

#include <offgrid/emu/device/atomic_named.h>

#ifndef __HIP_MEMORY_SCOPE_SINGLETHREAD
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#endif

OFFGRID_ATOMIC_NAME void atomicAddNoRet(float* address, float value) { atomicAdd(address, value); }

#define OFFGRID_HIP_ATOMIC_FORMS(T)                                                                \
  OFFGRID_ATOMIC_NAME T unsafeAtomicAdd(T* address, T value) { return atomicAdd(address, value); } \
  OFFGRID_ATOMIC_NAME T safeAtomicAdd(T* address, T value) { return atomicAdd(address, value); }   \
  OFFGRID_ATOMIC_NAME T unsafeAtomicMin(T* address, T value) { return atomicMin(address, value); } \
  OFFGRID_ATOMIC_NAME T safeAtomicMin(T* address, T value) { return atomicMin(address, value); }   \
  OFFGRID_ATOMIC_NAME T unsafeAtomicMax(T* address, T value) { return atomicMax(address, value); } \
  OFFGRID_ATOMIC_NAME T safeAtomicMax(T* address, T value) { return atomicMax(address, value); }
OFFGRID_HIP_ATOMIC_FORMS(float)
OFFGRID_HIP_ATOMIC_FORMS(double)
#undef OFFGRID_HIP_ATOMIC_FORMS

template <class T, std::enable_if_t<offgrid::emu::is_float16_v<T>, int> = 0>
OFFGRID_ATOMIC_NAME T unsafeAtomicAdd(T* address, T value) {
  return atomicAdd(address, value);
}

namespace offgrid::emu::hip_atomic {

template <class T>
inline std::remove_cv_t<T> load(T* address, int, int) {
  return atomic_load(address);
}
template <class T>
OFFGRID_ATOMIC_NAME void store(T* address, Operand<T> value, int, int scope) {
  atomic_store(address, value, hip_scope(scope));
}
template <class T>
inline bool compare_exchange(T* address, T* expected, Operand<T> desired, int, int, int scope) {
  return emu::compare_exchange(address, expected, desired, hip_scope(scope));
}

#define OFFGRID_HIP_ATOMIC(name)                                             \
  template <class T>                                                         \
  OFFGRID_ATOMIC_NAME T name(T* address, Operand<T> value, int, int scope) { \
    return emu::name(address, value, hip_scope(scope));                      \
  }
OFFGRID_HIP_ATOMIC(exchange)
OFFGRID_HIP_ATOMIC(fetch_add)
OFFGRID_HIP_ATOMIC(fetch_sub)
OFFGRID_HIP_ATOMIC(fetch_min)
OFFGRID_HIP_ATOMIC(fetch_max)
OFFGRID_HIP_ATOMIC(fetch_and)
OFFGRID_HIP_ATOMIC(fetch_or)
OFFGRID_HIP_ATOMIC(fetch_xor)
#undef OFFGRID_HIP_ATOMIC

}  // namespace offgrid::emu::hip_atomic

#define __hip_atomic_load(...) ::offgrid::emu::hip_atomic::load(__VA_ARGS__)
#define __hip_atomic_store(...) ::offgrid::emu::hip_atomic::store(__VA_ARGS__)
#define __hip_atomic_exchange(...) ::offgrid::emu::hip_atomic::exchange(__VA_ARGS__)
#define __hip_atomic_compare_exchange_strong(...) ::offgrid::emu::hip_atomic::compare_exchange(__VA_ARGS__)
#define __hip_atomic_compare_exchange_weak(...) ::offgrid::emu::hip_atomic::compare_exchange(__VA_ARGS__)
#define __hip_atomic_fetch_add(...) ::offgrid::emu::hip_atomic::fetch_add(__VA_ARGS__)
#define __hip_atomic_fetch_sub(...) ::offgrid::emu::hip_atomic::fetch_sub(__VA_ARGS__)
#define __hip_atomic_fetch_min(...) ::offgrid::emu::hip_atomic::fetch_min(__VA_ARGS__)
#define __hip_atomic_fetch_max(...) ::offgrid::emu::hip_atomic::fetch_max(__VA_ARGS__)
#define __hip_atomic_fetch_and(...) ::offgrid::emu::hip_atomic::fetch_and(__VA_ARGS__)
#define __hip_atomic_fetch_or(...) ::offgrid::emu::hip_atomic::fetch_or(__VA_ARGS__)
#define __hip_atomic_fetch_xor(...) ::offgrid::emu::hip_atomic::fetch_xor(__VA_ARGS__)
