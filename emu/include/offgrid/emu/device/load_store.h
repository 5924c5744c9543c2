/// Loads and stores with cache hints, prefetches, and compiler hints. A hint changes no value: these are plain
/// accesses, so that every check sees them. __ldcv alone promises a fresh read.
#pragma once

template <class Value>
inline Value __ldg(const Value* ptr) noexcept {
  return *ptr;
}
template <class Value>
inline Value __ldca(const Value* ptr) noexcept {
  return *ptr;
}
template <class Value>
inline Value __ldcg(const Value* ptr) noexcept {
  return *ptr;
}
template <class Value>
inline Value __ldcs(const Value* ptr) noexcept {
  return *ptr;
}
template <class Value>
inline Value __ldlu(const Value* ptr) noexcept {
  return *ptr;
}
/// Does not reuse a value read before: other lanes' stores become visible here.
template <class Value>
inline Value __ldcv(const Value* ptr) noexcept {
  asm volatile("" : : : "memory");
  return *ptr;
}

namespace offgrid::emu {
/// Takes no part in deduction: the pointer alone says which type is stored.
template <class Value>
struct StoredAs {
  using Type = Value;
};
}  // namespace offgrid::emu

template <class Value>
inline void __stwb(Value* ptr, typename offgrid::emu::StoredAs<Value>::Type value) noexcept {
  *ptr = value;
}
template <class Value>
inline void __stcg(Value* ptr, typename offgrid::emu::StoredAs<Value>::Type value) noexcept {
  *ptr = value;
}
template <class Value>
inline void __stcs(Value* ptr, typename offgrid::emu::StoredAs<Value>::Type value) noexcept {
  *ptr = value;
}
template <class Value>
inline void __stwt(Value* ptr, typename offgrid::emu::StoredAs<Value>::Type value) noexcept {
  *ptr = value;
}

inline void __prefetch_global_l1(const void* ptr) noexcept { __builtin_prefetch(ptr); }
inline void __prefetch_global_uniform(const void* ptr) noexcept { __builtin_prefetch(ptr); }
inline void __prefetch_global_l2_evict_last(const void* ptr) noexcept { __builtin_prefetch(ptr); }
inline void __prefetch_global_l2_evict_normal(const void* ptr) noexcept { __builtin_prefetch(ptr); }

// Hints that clang has and g++ has not.
#if !defined(__clang__)
template <class Value>
inline Value __builtin_nontemporal_load(const Value* ptr) noexcept {
  return *ptr;
}
template <class Value>
inline void __builtin_nontemporal_store(typename offgrid::emu::StoredAs<Value>::Type value, Value* ptr) noexcept {
  *ptr = value;
}
inline void __builtin_assume(bool) noexcept {}
#endif
